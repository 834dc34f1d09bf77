// Registers a user through the sample flow, as an app would.
//
// One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
// user's finger, which types and taps. The app keeps the last value of every input; when the flow
// has disappeared it has all that its own backend needs, and enriches the profile with it.

import { Bridge, kindOf, plain } from './flowbridge.mjs'

const TIME_ZONE = 'Asia/Kolkata'

const GESTURES = [
  ['focus', { elementId: 'name' }],
  ['enterText', { text: 'Jane' }],
  ['blur', {}],
  ['focus', { elementId: 'email' }],
  ['enterText', { text: 'jane@example.com' }],
  ['blur', {}],
  ['openPicker', { elementId: 'birthday' }],
  ['pick', { date: { year: 1990, month: 6, day: 15 } }],
  ['closePicker', {}],
  ['tapButton', { elementId: 'next' }],
  ['tapOption', { elementId: 'experience', optionId: 'pro' }],
  ['tapOption', { elementId: 'interests', optionId: 'sports' }],
  ['tapOption', { elementId: 'interests', optionId: 'music' }],
  ['tapToggle', { elementId: 'reminders' }],
  ['tapButton', { elementId: 'next' }],
  ['tapButton', { elementId: 'done' }],
]

const answers = {} // the last value of every input
let finished = false

function hear(event) {
  const kind = kindOf(event)
  say('  callback', ...story(event, kind))
  if (kind === 'flowDidDisappear') finished = true
  if (event.didReceiveAnalyticEvent?.name === 'flow_user_input') {
    const { params } = event.didReceiveAnalyticEvent
    answers[params.element_id.string] = answer(params, event.timeZone)
  }
}

function answer(params, timeZone) {
  switch (params.element_type.string) {
    case 'single_choice': return plain(params.item_ids)[0]
    case 'multi_choice': return plain(params.item_ids)
    case 'date_picker':
      // The instant at which the day begins where the user is. Turn it into a day now and in that
      // zone: read later or elsewhere, the instant is another day. (Swedish dates are ISO dates.)
      return new Date(Number(plain(params.value))).toLocaleDateString('sv-SE', { timeZone })
    default: return plain(params.value)
  }
}

/** What is printed of a callback: its name and what it carries. */
function story(event, kind) {
  const content = event[kind]
  switch (kind) {
    case 'didReceiveAnalyticEvent': {
      const { params, name } = content
      if (name !== 'flow_user_input') return [name, plain(params.instanceId)]
      const value = params.value ?? params.item_titles
      return [name, `${plain(params.element_id)} = ${value.int64 ?? json(plain(value))}`]
    }
    case 'didPerformAction': return [snake(kind), content.kind]
    case 'viewPresented': return [snake(kind), content.placementId]
    case 'didLoadLatestProfile': {
      const attributes = Object.entries(content.profile.customAttributes)
      return [snake(kind), attributes.map(([key, value]) => `${key} = ${json(plain(value))}`).join()]
    }
    default: return [snake(kind ?? 'of a newer broker'), '']
  }
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())

const json = (value) => JSON.stringify(value).replaceAll('","', '", "')

function say(who, what, details = '') {
  console.log(`${who.padEnd(11)} ${what.padEnd(28)} ${details}`.trimEnd())
}

function title(text) { console.log(`\n${text}\n${'-'.repeat(text.length)}`) }

function brief(value) {
  if (typeof value !== 'object') return value
  const { year, month, day } = value
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Takes the callbacks that have come. Those of a call are there before its reply. */
function listen(bridge) { bridge.takeEvents().forEach(hear) }

/** Fetches the flow of the placement and puts it on screen; gives the id of its view. */
async function showFlow(bridge, placementId) {
  say('app', 'get_flow', placementId)
  const { flow } = await bridge.call('getFlow', { placementId })
  say('app', 'get_flow_configuration', `${flow.name}, locale en`)
  const { configurationId } = await bridge.call(
    'getFlowConfiguration', { variationId: flow.variationId, locale: 'en' })
  say('app', 'create_flow_controller')
  const { viewId } = await bridge.call('createFlowController', { configurationId })
  say('app', 'present')
  await bridge.call('present', { viewId })
  return viewId
}

const bridge = await Bridge.connect('register_user.mjs')
title('A user registers')
say('app', 'open_device', TIME_ZONE)
const device = `phone-${Date.now()}`
await bridge.call('openDevice', { device, timeZone: TIME_ZONE })
await bridge.call('subscribe', { device })
say('app', 'activate')
await bridge.call('activate', { apiKey: 'public_live_sample' })
listen(bridge)

const viewId = await showFlow(bridge, 'onboarding')
listen(bridge)
for (const [gesture, what] of GESTURES) {
  say('finger', snake(gesture), Object.values(what).map(brief).join(' '))
  await bridge.call('perform', { viewId, [gesture]: what })
  listen(bridge)
}
if (!finished) throw new Error('the flow is still on screen: nothing is sent')

title("One request to the app's own backend")
console.log('POST /users')
console.log(JSON.stringify(Object.fromEntries(Object.entries(answers).sort())))

title('The profile, enriched')
say('app', 'update_profile', 'first name, email, birthday, experience')
await bridge.call('updateProfile', {
  firstName: answers.name, email: answers.email, birthday: answers.birthday,
  customAttributes: [{ key: 'experience', string: answers.experience }],
})
listen(bridge)
bridge.close()
