/// How far the connection to the phone has come, as the rider sees it.
package enum Connection: Equatable {
  case starting, noStore, noRadio, noPhone, searching, found, connecting, ready
}
