// A small client of the Flowbridge broker, without packages: JSON lines over its Unix socket, or
// binary frames through codec.mjs.
//
//     const bridge = await Bridge.connect('my program')
//     await bridge.call('subscribe')
//     const { flow } = await bridge.call('getFlow', { placementId: 'onboarding' })
//     for (const event of bridge.takeEvents()) console.log(event.sequence, kindOf(event))
//
// Messages are plain objects with the names of the protocol in lowerCamelCase; 64-bit integers are
// strings, as JSON numbers lose their last digits.

import { lstatSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

const FRAME_BYTES_MAX = 1 << 20
const LINE_BYTES_MAX = 4 * FRAME_BYTES_MAX
const PATH_BYTES_MAX = 107
const GRACE_MS = 100 // a call ends at its deadline plus this, whatever the broker does

/** A refused call. `space` is 'bridge' or 'sdk'; `code` a name such as 'WRONG_STATE', or the SDK's
 *  number such as 2002 with its `sdkName`. */
export class CallError extends Error {
  constructor(error) {
    const { sdk } = error
    super(sdk ? `${sdk.code} ${sdk.name}: ${error.message}` : `${error.bridge}: ${error.message}`)
    this.space = sdk ? 'sdk' : 'bridge'
    // A number here is of a newer broker.
    this.code = sdk ? sdk.code : typeof error.bridge === 'number' ? 'INTERNAL' : error.bridge
    this.sdkName = sdk?.name
    this.field = error.field
    this.retryable = error.retryable
  }
}

/** Where the broker listens: FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a folder of this
 *  user under the temporary one, which nobody else may be able to enter. */
export function defaultSocketPath(environment = process.env) {
  if (environment.FLOWBRIDGE_SOCKET) return environment.FLOWBRIDGE_SOCKET
  if (environment.XDG_RUNTIME_DIR)
    return join(environment.XDG_RUNTIME_DIR, 'flowbridge', 'bridge.sock')
  const folder = join(environment.TMPDIR || '/tmp', `flowbridge-${process.geteuid()}`)
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== process.geteuid() || found.mode & 0o077)
    throw new Error(`${folder} must be a folder of uid ${process.geteuid()} with mode 0700`)
  return join(folder, 'bridge.sock')
}

/** A socket for the path. Node cannot ask the kernel who serves it, so the owner of the socket's
 *  file is looked at instead; and it knows no abstract sockets. */
export function openSocket(path) {
  if (Buffer.byteLength(path) > PATH_BYTES_MAX)
    throw new Error(`the path has ${Buffer.byteLength(path)} bytes; a socket path has at most 107`)
  if (path.startsWith('@')) throw new Error(`${path}: Node knows no abstract sockets`)
  const owner = statSync(path).uid
  if (owner !== process.geteuid() && owner !== 0)
    throw new Error(`${path} belongs to uid ${owner}, not to ${process.geteuid()} or root`)
  return connect(path)
}

/** One JSON object a line. */
export class LineFraming {
  #rest = []
  #length = 0

  packed(frame) { return JSON.stringify(frame) + '\n' }

  /** The whole frames in what has come so far. */
  * feed(bytes) {
    for (let end; (end = bytes.indexOf(10)) >= 0; bytes = bytes.subarray(end + 1)) {
      const line = Buffer.concat([...this.#rest, bytes.subarray(0, end)])
      this.#rest = []
      this.#length = 0
      yield JSON.parse(line.toString('utf8'))
    }
    this.#rest.push(bytes)
    this.#length += bytes.length
    if (this.#length > LINE_BYTES_MAX) throw new Error(`a line of more than ${LINE_BYTES_MAX} bytes`)
  }
}

/** A length of four bytes, the highest first, and a protobuf message. */
export class BinaryFraming {
  #buffer = Buffer.alloc(0)

  constructor(codec) { this.codec = codec }

  packed(frame) {
    const payload = this.codec.encode('flowbridge.v1.ClientFrame', frame)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(payload.length)
    return Buffer.concat([length, payload])
  }

  * feed(bytes) {
    this.#buffer = Buffer.concat([this.#buffer, bytes])
    while (this.#buffer.length >= 4) {
      const length = this.#buffer.readUInt32BE()
      if (length < 1 || length > FRAME_BYTES_MAX)
        throw new Error(`a frame of ${length} bytes; 1 to ${FRAME_BYTES_MAX} are allowed`)
      if (this.#buffer.length < 4 + length) return
      const payload = this.#buffer.subarray(4, 4 + length)
      this.#buffer = this.#buffer.subarray(4 + length)
      yield this.codec.decode('flowbridge.v1.ServerFrame', payload)
    }
  }
}

/** One connection; any number of calls at a time. */
export class Bridge {
  #socket; #framing
  #lastId = 0
  #waiting = new Map() // from the id of a request to what settles it
  #events = []
  #fault = null // why the connection is over
  #wake = () => {}

  /** Connects and greets. Without a path it is found by the rules of docs/protocol.md; without a
   *  framing it is line mode. */
  static async connect(clientName, { path, framing = new LineFraming() } = {}) {
    const bridge = new Bridge(openSocket(path ?? defaultSocketPath()), framing)
    bridge.welcome = await bridge.call('hello', {
      protocolMajor: 1, protocolMinor: 1, clientName, maxFrame: FRAME_BYTES_MAX,
    })
    return bridge
  }

  constructor(socket, framing) {
    this.#socket = socket
    this.#framing = framing
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('error', (error) => this.#end(error))
    socket.on('close', () => this.#end(new Error('the broker closed the connection')))
  }

  /** Sends one request and gives its reply. Throws CallError, at the latest 0.1 s after the
   *  timeout. */
  async call(method, fields = {}, timeoutMs = 10_000) {
    if (this.#fault) throw this.#fault
    const id = String(++this.#lastId)
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    this.#socket.write(this.#framing.packed({ id, deadlineMs: timeoutMs, [method]: fields }))
    const timer = setTimeout(() => this.#giveUp(id, method, timeoutMs), timeoutMs + GRACE_MS)
    try {
      const frame = await answer
      if (frame.error) throw new CallError(frame.error)
      return frame[method === 'hello' ? 'welcome' : method]
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  /** The events that are here. Those that a call has caused are here when it returns. */
  takeEvents() { return this.#events.splice(0) }

  /** All events, in order, as they come; throws when the connection is over. */
  async * events() {
    while (true) {
      yield * this.takeEvents()
      if (this.#fault) throw this.#fault
      await new Promise((resolve) => { this.#wake = resolve })
    }
  }

  /** Stops and goes on reading, for a program that cannot keep up. */
  pause() { this.#socket.pause() }

  resume() { this.#socket.resume() }

  close() { this.#socket.destroy() }

  #take(bytes) {
    try {
      for (const frame of this.#framing.feed(bytes)) this.#sort(frame)
    } catch (error) {
      this.#end(error)
      this.close()
    }
  }

  #sort(frame) {
    if (frame.event) {
      this.#events.push(frame.event)
      this.#wake()
    } else if (frame.id === '0') {
      throw new CallError(frame.error) // a fault of the framing
    } else {
      this.#waiting.get(frame.id)?.resolve(frame) // else it was given up
    }
  }

  #giveUp(id, method, timeoutMs) {
    const message = `${method} had no answer within ${timeoutMs} ms`
    const error = { bridge: 'DEADLINE_EXCEEDED', message, field: '', retryable: true }
    this.#waiting.get(id)?.reject(new CallError(error))
    if (!this.#fault) this.#socket.write(this.#framing.packed({ cancel: { id } })) // no answer wanted
  }

  #end(error) {
    this.#fault ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#fault)
    this.#wake()
  }
}

const ABOUT_THE_EVENT = new Set(['sequence', 'device', 'viewId', 'timeMs', 'timeZone',
  'subscriptionId'])

/** The kind of an event, such as 'flowDidAppear'. */
export function kindOf(event) {
  return Object.keys(event).find((name) => !ABOUT_THE_EVENT.has(name))
}

/** What a Value holds: a string, number, boolean or list; a 64-bit integer stays a string. */
export function plain(value) {
  return value.stringList?.values ?? value.string ?? value.int64 ?? value.double ?? value.bool
}
