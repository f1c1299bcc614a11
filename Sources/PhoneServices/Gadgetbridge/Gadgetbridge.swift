/// Gadgetbridge, a free app for Android: what it sends to a Bangle.js, and what that answers.
///
/// It writes lines of JavaScript to the Nordic UART Service: `LineAssembler` cuts whole lines out of the
/// values, `Message` reads them without evaluating anything, and `Answer` has what goes back. Read in
/// its sources, `BangleJSDeviceSupport`, of August 2026.
package enum Gadgetbridge {}
