import Bytes
