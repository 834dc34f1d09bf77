// Goes through the steps of docs/conformance.md and prints the transcript.
//
//     FLOWBRIDGE_SOCKET=… node conformance.mjs binary|line

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { Codec } from './codec.mjs'
import {
  Bridge, BinaryFraming, CallError, LineFraming, defaultSocketPath, kindOf, openSocket,
} from './flowbridge.mjs'

const MODE = process.argv[2] ?? 'line'
const GOLDEN = process.env.FLOWBRIDGE_GOLDEN ?? 'proto/golden'
const BIG = String(2n ** 53n + 1n) // no double holds it
const START_MS = '1767225600000' // 1 January 2026
const FIRST_MISSED = 18
const LONG_INPUTS = 24
const LONG_TEXTS = ['x'.repeat(32_000), 'y'.repeat(32_000)]
const codec = new Codec(process.env.FLOWBRIDGE_TABLES ?? '.build/clients/tables.json')
const framing = () => (MODE === 'binary' ? new BinaryFraming(codec) : new LineFraming())
const connected = (name) => Bridge.connect(name, { framing: framing() })

const GESTURES = [
  ['focus', { elementId: 'name' }],
  ['enterText', { text: 'Zoë 🙂' }],
  ['blur', {}],
  ['openPicker', { elementId: 'birthday' }],
  ['pick', { date: { year: 1960, month: 6, day: 15 } }],
  ['closePicker', {}],
  ['tapButton', { elementId: 'next' }],
  ['tapOption', { elementId: 'experience', optionId: 'pro' }],
  ['tapOption', { elementId: 'interests', optionId: 'sports' }],
  ['tapOption', { elementId: 'interests', optionId: 'sports' }],
  ['tapToggle', { elementId: 'reminders' }],
  ['tapButton', { elementId: 'next' }],
  ['tapButton', { elementId: 'done' }],
]

// What a line of the transcript looks like

const snake = (name) => name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())

function quoted(text) {
  const plain = (byte) => byte >= 0x20 && byte < 0x7f && !'"%\\'.includes(String.fromCharCode(byte))
  const shown = [...Buffer.from(text)].map((byte) =>
    plain(byte) ? String.fromCharCode(byte) : '%' + byte.toString(16).toUpperCase().padStart(2, '0'))
  return `"${shown.join('')}"`
}

function doubleBits(value) {
  const number = Number(value) // JSON has "Infinity" for what it has no number for
  if (Number.isNaN(number)) return 'nan'
  const buffer = Buffer.alloc(8)
  buffer.writeDoubleBE(number)
  return buffer.toString('hex')
}

function valueText(value) {
  if (value.string !== undefined) return `string=${quoted(value.string)}`
  if (value.int64 !== undefined) return `int64=${value.int64}`
  if (value.double !== undefined) return `double=${doubleBits(value.double)}`
  if (value.bool !== undefined) return `bool=${value.bool}`
  if (value.stringList) return `string_list=[${value.stringList.values.map(quoted).join()}]`
  return 'none'
}

const members = (values) =>
  Object.keys(values).sort().map((name) => ` ${name}:${valueText(values[name])}`).join('')

function eventText(event) {
  const kind = kindOf(event)
  const known = codec.messages['flowbridge.v1.Event'].some((field) => field.json === kind)
  const line = `event ${event.sequence} ${known ? snake(kind) : '(unknown kind)'}`
  const content = event[kind]
  switch (kind) {
    case 'didReceiveAnalyticEvent': return `${line} ${content.name}${members(content.params)}`
    case 'didLoadLatestProfile': return line + members(content.profile.customAttributes)
    case 'didPerformAction': return `${line} ${content.kind}`
    case 'viewPresented': return `${line} ${content.placementId}`
    default: return line
  }
}

const say = (step, text) => console.log(`${String(step).padStart(2, '0')} ${text}`)

const showEvents = (bridge) =>
  bridge.takeEvents().forEach((event) => console.log('   ' + eventText(event)))

/** Makes a call that has to fail and tells how it did. */
async function errorText(call) {
  try {
    await call
    return 'no error'
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.space === 'sdk') return `sdk ${error.code} ${error.sdkName}`
    return `bridge ${error.code}${error.field ? ' ' + error.field : ''}`
  }
}

// The steps

async function showFlow(bridge) {
  const { flow } = await bridge.call('getFlow', { placementId: 'onboarding' })
  const { configurationId } = await bridge.call(
    'getFlowConfiguration', { variationId: flow.variationId })
  const { viewId } = await bridge.call('createFlowController', { configurationId })
  await bridge.call('present', { viewId })
  return viewId
}

async function greetAndOpen(bridge) {
  say(1, `hello major ${bridge.welcome.protocolMajor} max_frame ${bridge.welcome.maxFrame}`)
  const { created, info } = await bridge.call('openDevice', {
    device: 'conformance', timeZone: 'Asia/Kolkata', randomSeed: BIG,
    clock: { kind: 'MANUAL', startMs: START_MS },
  })
  say(2, `open_device created ${created} time_ms ${info.timeMs} random_seed ${info.randomSeed}`)
  const { nextSequence } = await bridge.call('subscribe', { device: 'conformance' })
  say(3, `subscribe next_sequence ${nextSequence}`)
  say(4, 'get_profile error ' + await errorText(bridge.call('getProfile')))
  await bridge.call('activate', { apiKey: 'public_live_conformance' })
  say(5, 'activate')
  showEvents(bridge)
}

async function drive(bridge) {
  const { flow } = await bridge.call('getFlow', { placementId: 'onboarding' })
  const locales = flow.remoteConfigs.map((config) => config.locale).join(' ')
  say(6, `get_flow ${flow.id} ${quoted(flow.name)} remote configs ${locales}`)
  const viewId = await showFlow(bridge)
  say(7, 'present')
  showEvents(bridge)
  for (const [gesture, fields] of GESTURES) {
    await bridge.call('perform', { viewId, [gesture]: fields })
    say(8, `perform ${snake(gesture)}`)
    showEvents(bridge)
  }
  const missing = bridge.call('perform', { viewId: 'no-such-view', blur: {} })
  say(9, 'perform error ' + await errorText(missing))
}

async function updateProfile(bridge) {
  await bridge.call('updateProfile', {
    firstName: 'Zoë', email: 'zoe@example.com', birthday: '1960-06-15',
    customAttributes: [{ key: 'experience', string: 'pro' }, { key: 'score', double: 3.25 }],
  })
  say(10, 'update_profile set')
  showEvents(bridge)
  await bridge.call(
    'updateProfile', { customAttributes: [{ key: 'experience', remove: true }] })
  say(11, 'update_profile remove')
  showEvents(bridge)
  const seen = await bridge.call('inspectProfile')
  say(12, `inspect_profile ${quoted(seen.firstName)} ${quoted(seen.email)} ${seen.birthday} ` +
    `age ${seen.age}${members(seen.profile.customAttributes)}`)
}

/** The clock of the device stands, so only this side can notice that time is up. */
async function giveUpACall(bridge) {
  await bridge.call('setConditions', { calls: [{ method: 'get_flow', latencyMs: 60_000 }] })
  const waiting = bridge.call('getFlow', { placementId: 'onboarding' }, 200)
  say(13, 'get_flow error ' + await errorText(waiting))
  const { payload } = await bridge.call(
    'ping', { payload: Buffer.from('still here').toString('base64') })
  say(14, `ping ${quoted(Buffer.from(payload, 'base64'))}`)
  await bridge.call('setConditions', { clear: true })
}

/** Misses three events, and gets them from the record. */
async function comeBack(old) {
  old.close()
  const other = await connected('conformance while away')
  await other.call('openDevice', { device: 'conformance' })
  for (const double of [1, 2, 3])
    await other.call('updateProfile', { customAttributes: [{ key: 'missed', double }] })
  other.close()
  const bridge = await connected('conformance again')
  await bridge.call('openDevice', { device: 'conformance' })
  await bridge.call('subscribe', { device: 'conformance', fromSequence: FIRST_MISSED })
  await bridge.call('updateProfile', { customAttributes: [{ key: 'missed', remove: true }] })
  say(15, 'reconnect')
  showEvents(bridge)
  return bridge
}

/** A connection that does not read is told what it missed, and the record has it. */
async function lag(reader) {
  const writer = await connected('conformance lag')
  await writer.call('openDevice', { device: 'lag', clock: { kind: 'MANUAL', startMs: START_MS } })
  await writer.call('activate', { apiKey: 'public_live_conformance' })
  const viewId = await showFlow(writer)
  const begin = Number((await reader.call('subscribe', { device: 'lag' })).nextSequence)
  reader.pause()
  for (let number = 0; number < LONG_INPUTS; number++) {
    await writer.call('perform', { viewId, focus: { elementId: 'name' } })
    await writer.call('perform', { viewId, enterText: { text: LONG_TEXTS[number % 2] } })
    await writer.call('perform', { viewId, blur: {} })
  }
  writer.close()
  reader.resume()

  const seen = [], missed = new Set()
  for await (const { lagged, sequence } of reader.events()) {
    if (!lagged) seen.push(Number(sequence))
    else
      for (let n = Number(lagged.fromSequence); n <= Number(lagged.toSequence); n++) missed.add(n)
    if (seen.length + missed.size === LONG_INPUTS) break
  }
  say(16, `lagged ${missed.size > 0 ? 'told' : 'nothing'}`)
  const kept = (await recorded(reader, begin)).filter((sequence) => missed.has(sequence))
  const all = [...seen, ...kept].sort((left, right) => left - right)
  const whole = all.length === LONG_INPUTS && all.every((sequence, n) => sequence === begin + n)
  say(17, `get_events ${whole ? 'nothing missing, nothing twice' : 'not the missing ones'}`)
}

/** The sequences of the record, page by page. */
async function recorded(bridge, begin) {
  const found = []
  for (let page = { nextFromSequence: begin }; !page.atEnd;) {
    page = await bridge.call(
      'getEvents', { device: 'lag', fromSequence: page.nextFromSequence, pageSize: 8 })
    found.push(...page.events.map((event) => Number(event.sequence)))
  }
  return found
}

/** A length of 0, or a line that is no JSON object: answered, then closed. */
async function breakTheFraming() {
  const socket = openSocket(defaultSocketPath())
  socket.write(MODE === 'binary' ? Buffer.alloc(4) : 'GET / HTTP/1.1\r\n\r\n')
  const received = []
  for await (const bytes of socket) received.push(bytes)
  const [answer] = framing().feed(Buffer.concat(received))
  say(18, `broken framing id ${answer.id} error bridge ${answer.error.bridge}, then the end`)
}

// The golden frames

const bytesOf = (name) =>
  Buffer.from(readFileSync(`${GOLDEN}/${name}.hex`, 'utf8').replace(/#.*|\s/g, ''), 'hex').subarray(4)

const jsonOf = (name) => JSON.parse(readFileSync(`${GOLDEN}/${name}`, 'utf8'))

/** A golden frame in this run's mode; .line is what a newer broker would write. */
function golden(name) {
  if (MODE === 'binary') return codec.decode('flowbridge.v1.ServerFrame', bytesOf(name))
  return jsonOf(existsSync(`${GOLDEN}/${name}.line`) ? `${name}.line` : `${name}.json`)
}

/** Whether the bytes give exactly the JSON, and the JSON the bytes; those of read/ are unusual. */
function isRead(name) {
  const kind = `flowbridge.v1.${name.startsWith('client/') ? 'Client' : 'Server'}Frame`
  const json = jsonOf(`${name}.json`)
  return isDeepStrictEqual(codec.decode(kind, bytesOf(name)), json) &&
    (name.startsWith('read/') || codec.encode(kind, json).equals(bytesOf(name)))
}

function readGoldenFrames() {
  say(19, eventText(golden('read/unknown-event-kind').event))
  const { id, ping } = golden('read/unknown-fields')
  say(20, `unknown fields id ${id} ping ${quoted(Buffer.from(ping.payload, 'base64'))}`)
  for (const kind of ['string', 'int64', 'double', 'bool', 'string-list', 'none'])
    say(21, eventText(golden(`server/value-${kind}`).event))
  const names = ['client', 'read', 'server'].flatMap((folder) =>
    readdirSync(`${GOLDEN}/${folder}`).filter((file) => file.endsWith('.hex'))
      .map((file) => `${folder}/${file.slice(0, -4)}`))
  const wrong = names.filter((name) => !isRead(name))
  say(22, `golden frames ${wrong.length || !names.length ? wrong.join(' ') : 'all read'}`)
}

let bridge = await connected('conformance')
await greetAndOpen(bridge)
await drive(bridge)
await updateProfile(bridge)
await giveUpACall(bridge)
bridge = await comeBack(bridge)
await lag(bridge)
bridge.close()
await breakTheFraming()
readGoldenFrames()
