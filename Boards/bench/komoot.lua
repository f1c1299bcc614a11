-- komoot's navigation value in Wireshark and tshark: `tshark -X lua_script:komoot.lua -r radio.btsnoop -Y komoot`.
--
-- Values are known by the handle that the characteristic's UUID had when it was discovered. Wireshark's own table of
-- UUIDs ("bluetooth.uuid") is of no use here: where both ends of a link ask at the same time, as a phone and Lenker
-- do, 4.0 takes the answer to the one for that to the other, and the discovery for something else. So this follows
-- the requests of each direction by itself, behind Wireshark's own dissectors.

local CHARACTERISTIC = "263048570a2735b26e4fcb9b05d63d50" -- 503DD605-9BCB-4F6E-B235-270A57483026, as it is sent
local HEADER = 9 -- identifier, direction and distance: the shortest instruction
local LONGEST = 512 -- of an attribute: Core Specification, Vol 3, Part F, 3.2.9

-- Opcodes of attribute PDUs: Vol 3, Part F, 3.4.8.
local READ_BY_TYPE_RESPONSE = 0x09
local READ_REQUEST, READ_RESPONSE = 0x0A, 0x0B
local READ_BLOB_REQUEST, READ_BLOB_RESPONSE = 0x0C, 0x0D
local NOTIFICATION = 0x1B
local DECLARATION = 21 -- of a characteristic with a long UUID: handle, properties, handle of the value, UUID

local DIRECTIONS = {
  [0] = "none", "straight on", "start", "finish", "slight left", "left", "sharp left", "sharp right", "right",
  "slight right", "fork right", "fork left", "U-turn", "point of interest", "roundabout",
  "roundabout, exit left (clockwise)", "roundabout, exit right (counterclockwise)",
  "roundabout, exit 1 of 1 (counterclockwise)", "roundabout, exit 1 of 2 (counterclockwise)",
  "roundabout, exit 1 of 3 (counterclockwise)", "roundabout, exit 2 of 2 (counterclockwise)",
  "roundabout, exit 2 of 3 (counterclockwise)", "roundabout, exit 3 of 3 (counterclockwise)",
  "roundabout, exit 1 of 1 (clockwise)", "roundabout, exit 1 of 2 (clockwise)",
  "roundabout, exit 1 of 3 (clockwise)", "roundabout, exit 2 of 2 (clockwise)",
  "roundabout, exit 2 of 3 (clockwise)", "roundabout, exit 3 of 3 (clockwise)",
  "roundabout, exit unknown", "off the route",
}

local komoot = Proto("komoot", "komoot navigation")
komoot.prefs.handle = Pref.uint(
  "Handle of the value", 0, "Where the capture has no discovery, as the phone was remembered; 0: only as discovered")

local identifier = ProtoField.uint32("komoot.identifier", "Identifier", base.HEX)
local direction = ProtoField.uint8("komoot.direction", "Direction", base.DEC, DIRECTIONS)
local distance = ProtoField.uint32("komoot.distance", "Distance", base.UNIT_STRING, { " m" })
local street = ProtoField.string("komoot.street", "Street", base.UNICODE)
komoot.fields = { identifier, direction, distance, street }

local short = ProtoExpert.new(
  "komoot.short", "Shorter than an instruction", expert.group.MALFORMED, expert.severity.ERROR)
local long = ProtoExpert.new(
  "komoot.long", "Longer than an attribute may be", expert.group.MALFORMED, expert.severity.ERROR)
local undecodable = ProtoExpert.new(
  "komoot.utf8", "The street is not UTF-8", expert.group.UNDECODED, expert.severity.WARN)
local cut = ProtoExpert.new(
  "komoot.cut", "The street ends within a letter", expert.group.SEQUENCE, expert.severity.NOTE)
local control = ProtoExpert.new(
  "komoot.control", "The street has control characters", expert.group.PROTOCOL, expert.severity.WARN)
local unknown = ProtoExpert.new("komoot.unknown", "An unknown direction", expert.group.UNDECODED, expert.severity.NOTE)
komoot.experts = { short, long, undecodable, cut, control, unknown }

local attribute_pdu, link_handle = Field.new("btatt"), Field.new("bthci_acl.chandle")

local links -- by the handle of the connection: `value` is the handle of the value, `asked` has a request by its
-- direction, `read` what has been read of the value
local newest -- the handle that was discovered last, on whatever link: a remembered phone is not asked again
local found -- by the number of the frame: the value in it, as far as it was read

function komoot.init() links, newest, found = {}, nil, {} end

-- Notes the handle of the value, if this answer to a Read By Type Request declares it.
local function learn(link, pdu)
  if pdu:len() < 2 or pdu(1, 1):uint() ~= DECLARATION then return end
  for start = 2, pdu:len() - DECLARATION, DECLARATION do
    if pdu(start + 5, 16):bytes():tohex(true) == CHARACTERISTIC then
      newest = pdu(start + 3, 2):le_uint()
      link.value = newest
    end
  end
end

local function is_of_value(link, handle)
  local wanted = link.value or newest or komoot.prefs.handle
  return wanted ~= 0 and handle == wanted
end

-- What the link says in this direction: 0 is sent, 1 is received. Gives the value that this frame has, or adds to.
local function follow(link, pdu, way)
  local opcode, length = pdu(0, 1):uint(), pdu:len()
  local answered = link.asked[1 - way]
  if opcode == READ_BY_TYPE_RESPONSE then
    learn(link, pdu)
  elseif opcode == READ_REQUEST and length == 3 then
    link.asked[way] = is_of_value(link, pdu(1, 2):le_uint()) and { offset = 0 } or nil
  elseif opcode == READ_BLOB_REQUEST and length == 5 then
    link.asked[way] = is_of_value(link, pdu(1, 2):le_uint()) and { offset = pdu(3, 2):le_uint() } or nil
  elseif opcode == NOTIFICATION and length >= 3 and is_of_value(link, pdu(1, 2):le_uint()) then
    return { bytes = length > 3 and pdu(3):bytes() or ByteArray.new(), is_notified = true }
  elseif (opcode == READ_RESPONSE or opcode == READ_BLOB_RESPONSE) and answered then
    link.asked[1 - way] = nil
    local part = length > 1 and pdu(1):bytes() or ByteArray.new()
    if answered.offset == 0 then
      link.read = part
    elseif link.read and link.read:len() >= answered.offset then
      link.read = link.read:subset(0, answered.offset) .. part
    else
      return nil -- its beginning is not in the capture
    end
    return { bytes = link.read, is_assembled = answered.offset > 0 }
  end
end

local REPLACEMENT = "\xEF\xBF\xBD" -- U+FFFD in UTF-8: what Wireshark puts where bytes are not UTF-8

-- How many of the last bytes are the beginning of a letter whose end is missing.
local function count_cut(raw)
  local letter = raw:match("[\xC2-\xF4][\x80-\xBF]*$") or ""
  local first = letter:byte() or 0
  local whole = first >= 0xF0 and 4 or first >= 0xE0 and 3 or first >= 0xC2 and 2 or 0
  return #letter < whole and #letter or 0
end

local function show_street(range, tree)
  local item, raw = tree:add_packet_field(street, range, ENC_UTF_8), range:bytes():raw()
  local kept = #raw - count_cut(raw)
  if kept < #raw then item:add_proto_expert_info(cut) end
  local text = kept > 0 and range(0, kept):string(ENC_UTF_8) or ""
  if text:find(REPLACEMENT, 1, true) and not raw:find(REPLACEMENT, 1, true) then
    item:add_proto_expert_info(undecodable)
  end
  if raw:find("%c") then item:add_proto_expert_info(control) end
  return text
end

-- Shows an instruction, or what is there of it; its summary is for the list of packets.
local function show(tvb, tree)
  if tvb:len() < HEADER then
    tree:add_proto_expert_info(short, ("%d bytes are no instruction: it has %d at least"):format(tvb:len(), HEADER))
    return "malformed"
  end
  tree:add_le(identifier, tvb(0, 4))
  local number, metres = tvb(4, 1):uint(), tvb(5, 4):le_uint()
  local item = tree:add(direction, tvb(4, 1))
  if not DIRECTIONS[number] then item:add_proto_expert_info(unknown) end
  tree:add_le(distance, tvb(5, 4))
  local name = tvb:len() > HEADER and show_street(tvb(HEADER), tree) or ""
  if tvb:len() > LONGEST then tree:add_proto_expert_info(long) end
  return ("%s, %d m%s"):format(DIRECTIONS[number] or number, metres, name == "" and "" or ", " .. name)
end

function komoot.dissector(buffer, pinfo, tree)
  local attribute, handle = attribute_pdu(), link_handle()
  if not attribute or not handle then return end
  local pdu = attribute.range
  -- Frames are shown in any order, but first of all dissected once in theirs.
  if not pinfo.visited then
    local link = links[handle.value] or { asked = {} }
    links[handle.value] = link
    found[pinfo.number] = follow(link, pdu, pinfo.p2p_dir)
  end
  local value = found[pinfo.number]
  if not value then return end

  local length = value.bytes:len()
  local branch, summary
  if length == 0 then
    branch, summary = tree:add(komoot, pdu), "malformed"
    branch:add_proto_expert_info(short, "An empty value")
  else
    local range = value.is_assembled and value.bytes:tvb("The value so far")() or pdu(pdu:len() - length)
    branch = tree:add(komoot, range)
    if value.is_notified and length == 4 then
      branch:add_le(identifier, range)
      summary = ("identifier 0x%08x"):format(range:le_uint())
    else
      summary = show(range, branch)
    end
  end
  branch:append_text(": " .. summary)
  pinfo.cols.info:append(" | komoot: " .. summary)
end

register_postdissector(komoot)
