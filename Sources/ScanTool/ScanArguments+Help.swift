extension ScanArguments {
  /// How the program is used, a line for each command.
  package static var usage: String {
    """
    usage: lenker-scan [--service UUID]... [--crownstones] [--beacons[=UUID]]... [--sensors]
                       [--seconds N] [--passive] [--json] [hci=...] [btsnoop=...]
           lenker-scan inspect ADDRESS [--read]
           lenker-scan train --group ID=UUID --location ID [--seconds 60] --out FILE
           lenker-scan locate --group ID=UUID... --fingerprint LOCATION=FILE... [--seconds N]
           lenker-scan switch ADDRESS on|off|0..1
           lenker-scan --help | --version

    """
  }

  /// What each part means, and an example for each command.
  package static var help: String {
    """
    Tells what advertises near by, what a device has, and in which place one is. On a terminal
    a table shows who is heard; into a file or a pipe goes a JSON object a line, as with --json.

      --service UUID   only who lists this service or has data of it: 4, 8 or 36 characters
      --crownstones    only Crownstones
      --beacons[=UUID] only iBeacons, all or those of this UUID
      --sensors        only sensors that Lenker understands; of several filters one is enough
      --seconds N      ends after N seconds, else when it is interrupted
      --passive        asks nobody for a scan response
      --read           reads the values, too
      --group ID=UUID  a group of iBeacons that have this UUID, and its name
      --location ID    what the place is called
      --out FILE       where its fingerprint goes; an old one is replaced when the new one is whole
      --fingerprint LOCATION=FILE  a place that was learned
      hci=hci0         the Bluetooth controller, as in lenker's board file: also tcp:, unix:, serial:
      btsnoop=file:F   a capture of all packets, for Wireshark
      topics=LIST      only lines about these: advertisementData, beacons, radio, device
      events=unix:PATH other programs read lines by topic there, as they do of lenker's
      lenker-scan --sensors --seconds 30
          which straps, pedals and radars are awake
      lenker-scan inspect C4:5D:83:00:00:01 --read
          connects, lists all services, characteristics and descriptors with their values
      lenker-scan train --group home=E20A39F4-73F5-4BC4-A12F-17D1AD07A961 \\
            --location garage --out garage.json
          learns how a place sounds, from three beacons or more; walk about in it meanwhile.
          Reads pause, resume, abort and finalize from standard input
      lenker-scan locate --group home=E20A39F4-73F5-4BC4-A12F-17D1AD07A961 \\
            --fingerprint garage=garage.json --fingerprint kitchen=kitchen.json
          in which place one is, a guess a second
      lenker-scan switch C4:5D:83:00:00:01 0.5
          Crownstones with the unencrypted firmware of 2016 only

    Exit status: 0, 64 wrong arguments, 65 too little to learn or no fingerprint, 66 a file that
    cannot be read, 69 no radio or no such device, 73 a file that cannot be written.
    The radio has one user at a time: sudo systemctl stop lenker.

    """
  }
}
