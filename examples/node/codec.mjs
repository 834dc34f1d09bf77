// Reads and writes protobuf by the tables that examples/codec/make_tables.py makes of the schema.
//
// Messages are plain objects in the shape of line mode: lowerCamelCase names, 64-bit integers as
// strings, bytes in base64, names of enums, every field of a message that was read. So a program
// sees no difference between the two modes.

import { readFileSync } from 'node:fs'

const VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5
const WIRE_TYPE = {
  double: FIXED64, fixed64: FIXED64, sfixed64: FIXED64,
  float: FIXED32, fixed32: FIXED32, sfixed32: FIXED32,
  string: BYTES, bytes: BYTES, message: BYTES, map: BYTES,
}
const wireType = (field) => WIRE_TYPE[field.type] ?? VARINT
const DEPTH_MAX = 32

export class Codec {
  constructor(path) {
    const { messages, enums } = JSON.parse(readFileSync(path, 'utf8'))
    this.messages = messages
    this.enums = enums
    this.byNumber = {}
    this.names = {} // of enum values, by number
    for (const [name, fields] of Object.entries(messages))
      this.byNumber[name] = new Map(fields.map((field) => [field.number, field]))
    for (const [name, values] of Object.entries(enums))
      this.names[name] = new Map(Object.entries(values).map(([key, value]) => [value, key]))
  }

  /** The bytes of a message such as 'flowbridge.v1.ClientFrame'. */
  encode(name, object) {
    const writer = new Writer()
    this.#write(writer, name, object)
    return writer.take()
  }

  /** The message in the bytes; what a newer broker added is passed over. Throws on broken bytes. */
  decode(name, bytes) {
    return this.#read(new Reader(bytes), name, 0)
  }

  #write(writer, name, object) {
    for (const field of this.messages[name]) {
      const value = object[field.json] ?? object[field.name]
      if (value === undefined) continue
      if (field.type === 'map')
        for (const key of Object.keys(value).sort())
          this.#member(writer, field, this.#entry(field, key, value[key]))
      else if (field.repeated)
        this.#repeated(writer, field, value)
      else if (field.oneof || field.type === 'message' || !this.#isDefault(field, value))
        this.#member(writer, field, value)
    }
  }

  #repeated(writer, field, values) {
    if (wireType(field) === BYTES) {
      for (const value of values) this.#member(writer, field, value)
    } else if (values.length > 0) { // numbers are packed
      const inner = new Writer()
      for (const value of values) this.#scalar(inner, field, value)
      writer.tag(field.number, BYTES)
      writer.bytes(inner.take())
    }
  }

  #member(writer, field, value) {
    writer.tag(field.number, wireType(field))
    if (field.type === 'map') writer.bytes(value)
    else if (field.type === 'message') writer.bytes(this.encode(field.of, value))
    else this.#scalar(writer, field, value)
  }

  /** One pair of a map: a message with the fields 1 and 2. */
  #entry(field, key, value) {
    const writer = new Writer()
    if (!this.#isDefault(field.key, key)) this.#member(writer, field.key, key)
    if (field.value.type === 'message' || !this.#isDefault(field.value, value))
      this.#member(writer, field.value, value)
    return writer.take()
  }

  /** Whether the value is the one that need not be written. */
  #isDefault(field, value) {
    switch (field.type) {
      case 'string': case 'bytes': return value === ''
      case 'bool': return !value
      case 'enum': return (this.enums[field.of][value] ?? value) === 0
      default: return Number(value) === 0 && !Object.is(value, -0)
    }
  }

  #scalar(writer, field, value) {
    switch (field.type) {
      case 'string': return writer.bytes(Buffer.from(value, 'utf8'))
      case 'bytes': return writer.bytes(Buffer.from(value, 'base64'))
      case 'bool': return writer.varint(value ? 1n : 0n)
      case 'double': return writer.double(Number(value))
      case 'fixed32': return writer.fixed32(value)
      case 'enum': return writer.varint(BigInt(this.enums[field.of][value] ?? value))
      default: return writer.varint(BigInt(value)) // int32, int64, uint32, uint64
    }
  }

  #read(reader, name, depth) {
    if (depth > DEPTH_MAX) throw new Error('messages are nested too deeply')
    const object = this.#blank(name)
    while (!reader.atEnd) {
      const tag = Number(reader.varint())
      const field = this.byNumber[name].get(tag >>> 3)
      if (!field) reader.skip(tag & 7)
      else {
        if (field.oneof) // of the members of a choice the last one counts
          for (const other of this.messages[name])
            if (other.oneof === field.oneof) delete object[other.json]
        this.#take(reader, object, field, tag & 7, depth)
      }
    }
    return object
  }

  /** A message without anything in it: every field that is not of a choice has its default. */
  #blank(name) {
    const object = {}
    for (const field of this.messages[name]) {
      if (field.type === 'map') object[field.json] = {}
      else if (field.repeated) object[field.json] = []
      else if (!field.oneof && field.type !== 'message') object[field.json] = this.#default(field)
    }
    return object
  }

  #default(field) {
    switch (field.type) {
      case 'string': case 'bytes': return ''
      case 'bool': return false
      case 'enum': return this.names[field.of].get(0)
      case 'int64': case 'uint64': return '0'
      default: return 0
    }
  }

  #take(reader, object, field, wire, depth) {
    if (field.type === 'map') {
      const entry = reader.inner()
      let key = this.#default(field.key)
      let value = field.value.type === 'message'
        ? this.#blank(field.value.of) : this.#default(field.value)
      while (!entry.atEnd) {
        const tag = Number(entry.varint())
        if (tag >>> 3 === 1) key = this.#value(entry, field.key, depth)
        else if (tag >>> 3 === 2) value = this.#value(entry, field.value, depth)
        else entry.skip(tag & 7)
      }
      object[field.json][key] = value
    } else if (field.repeated && wire === BYTES && wireType(field) !== BYTES) {
      const packed = reader.inner()
      while (!packed.atEnd) object[field.json].push(this.#value(packed, field, depth))
    } else if (field.repeated) {
      object[field.json].push(this.#value(reader, field, depth))
    } else {
      object[field.json] = this.#value(reader, field, depth)
    }
  }

  #value(reader, field, depth) {
    switch (field.type) {
      case 'message': return this.#read(reader.inner(), field.of, depth + 1)
      case 'string': return utf8.decode(reader.bytes())
      case 'bytes': return reader.bytes().toString('base64')
      case 'bool': return reader.varint() !== 0n
      case 'double': return plainDouble(reader.double())
      case 'fixed32': return reader.fixed32()
      case 'int32': return Number(BigInt.asIntN(32, reader.varint()))
      case 'uint32': return Number(BigInt.asUintN(32, reader.varint()))
      case 'int64': return BigInt.asIntN(64, reader.varint()).toString()
      case 'uint64': return BigInt.asUintN(64, reader.varint()).toString()
      case 'enum': {
        const number = Number(BigInt.asIntN(32, reader.varint()))
        return this.names[field.of].get(number) ?? number
      }
      default: throw new Error(`the codec knows no ${field.type}`)
    }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** As proto3's JSON has it, which knows no numbers for these. */
const plainDouble = (number) => (Number.isFinite(number) ? number : String(number))

class Writer {
  #parts = []

  tag(number, wire) { this.varint(BigInt(number * 8 + wire)) }

  varint(value) {
    const bytes = []
    for (let left = BigInt.asUintN(64, value); ; left >>= 7n) {
      if (left < 128n) { bytes.push(Number(left)); break }
      bytes.push(Number(left & 127n) | 128)
    }
    this.#parts.push(Buffer.from(bytes))
  }

  bytes(buffer) { this.varint(BigInt(buffer.length)); this.#parts.push(buffer) }

  double(number) {
    const buffer = Buffer.alloc(8)
    buffer.writeDoubleLE(number)
    this.#parts.push(buffer)
  }

  fixed32(number) {
    const buffer = Buffer.alloc(4)
    buffer.writeUInt32LE(number)
    this.#parts.push(buffer)
  }

  take() { return Buffer.concat(this.#parts) }
}

class Reader {
  constructor(buffer) { this.buffer = buffer; this.at = 0 }

  get atEnd() { return this.at >= this.buffer.length }

  #need(count) {
    if (this.at + count > this.buffer.length) throw new Error('the message is cut off')
    this.at += count
    return this.at - count
  }

  varint() {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.buffer[this.#need(1)]
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
    throw new Error('a varint has more than ten bytes')
  }

  bytes() {
    const length = Number(this.varint())
    const at = this.#need(length)
    return this.buffer.subarray(at, at + length)
  }

  inner() { return new Reader(this.bytes()) }

  double() { return this.buffer.readDoubleLE(this.#need(8)) }

  fixed32() { return this.buffer.readUInt32LE(this.#need(4)) }

  skip(wire) {
    if (wire === VARINT) this.varint()
    else if (wire === FIXED64) this.#need(8)
    else if (wire === BYTES) this.bytes()
    else if (wire === FIXED32) this.#need(4)
    else throw new Error(`wire type ${wire} is none of proto3`)
  }
}
