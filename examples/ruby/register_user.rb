# Registers a user through the sample flow, as an app would.
#
# One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
# user's finger, which types and taps. The app keeps the last value of every input; when the flow
# has disappeared it has all that its own backend needs, and enriches the profile with it.

require 'json'
require_relative 'flowbridge'

TIME_ZONE = 'Asia/Kolkata'

GESTURES = [
  [:focus, { element_id: 'name' }],
  [:enter_text, { text: 'Jane' }],
  [:blur, {}],
  [:focus, { element_id: 'email' }],
  [:enter_text, { text: 'jane@example.com' }],
  [:blur, {}],
  [:open_picker, { element_id: 'birthday' }],
  [:pick, { date: { year: 1990, month: 6, day: 15 } }],
  [:close_picker, {}],
  [:tap_button, { element_id: 'next' }],
  [:tap_option, { element_id: 'experience', option_id: 'pro' }],
  [:tap_option, { element_id: 'interests', option_id: 'sports' }],
  [:tap_option, { element_id: 'interests', option_id: 'music' }],
  [:tap_toggle, { element_id: 'reminders' }],
  [:tap_button, { element_id: 'next' }],
  [:tap_button, { element_id: 'done' }]
].freeze

# The plain Ruby value of a Value.
def plain(value)
  value.kind == :string_list ? value.string_list.values.to_a : value[value.kind.to_s]
end

def say(who, what, details = '')
  puts format('%-11s %-28s %s', who, what, details).rstrip
end

def title(text)
  puts "\n#{text}\n#{'-' * text.length}"
end

def json(value)
  JSON.generate(value).gsub('","', '", "')
end

# What a gesture carries: a name, a text, or a day.
def brief(value)
  value.is_a?(Hash) ? format('%<year>d-%<month>02d-%<day>02d', value) : value
end

# What is printed of a callback: its name and what it carries.
def story(event)
  content = event[event.kind.to_s]
  case event.kind
  when :did_receive_analytic_event
    return [content.name, plain(content.params['instanceId'])] if content.name != 'flow_user_input'

    shown = content.params['value'] || content.params['item_titles']
    [content.name, "#{plain(content.params['element_id'])} = #{json(plain(shown))}"]
  when :did_perform_action then [event.kind, content.kind]
  when :view_presented then [event.kind, content.placement_id]
  when :did_load_latest_profile
    [event.kind, content.profile.custom_attributes.map { |k, v| "#{k} = #{json(v.string)}" }.join]
  else [event.kind]
  end
end

# What the app collects: the last value of every input; each event carries the whole one.
class Registration
  attr_reader :answers, :finished

  def initialize
    @answers = {}
    @finished = false
  end

  def hear(event)
    @finished = true if event.kind == :flow_did_disappear
    analytic = event.did_receive_analytic_event
    return unless analytic&.name == 'flow_user_input'

    params = analytic.params
    @answers[plain(params['element_id'])] = answer(params, event.time_zone)
  end

  private

  def answer(params, zone)
    case plain(params['element_type'])
    when 'single_choice' then plain(params['item_ids']).first
    when 'multi_choice' then plain(params['item_ids'])
    when 'date_picker'
      # The instant at which the day begins where the user is. Turn it into a day now and in that
      # zone: read later or elsewhere, the instant is another day.
      ENV['TZ'] = zone
      Time.at(plain(params['value']) / 1000).strftime('%F')
    else plain(params['value'])
    end
  end
end

# Fetches the flow of the placement and puts it on screen; returns the id of its view.
def show_flow(bridge, placement)
  say('app', 'get_flow', placement)
  flow = bridge.call(:get_flow, placement_id: placement).flow
  say('app', 'get_flow_configuration', "#{flow.name}, locale en")
  configuration = bridge.call(
    :get_flow_configuration, variation_id: flow.variation_id, locale: 'en'
  )
  say('app', 'create_flow_controller')
  view = bridge.call(
    :create_flow_controller, configuration_id: configuration.configuration_id
  ).view_id
  say('app', 'present')
  bridge.call(:present, view_id: view)
  view
end

Bridge.open('register_user.rb') do |bridge|
  registration = Registration.new
  listen = lambda do # those of a call are there before its reply
    bridge.take_events.each do |event|
      say('  callback', *story(event))
      registration.hear(event)
    end
  end

  title 'A user registers'
  device = "phone-#{Process.pid}-#{Time.now.to_i}"
  say('app', 'open_device', TIME_ZONE)
  bridge.call(:open_device, device: device, time_zone: TIME_ZONE)
  bridge.call(:subscribe, device: device)
  say('app', 'activate')
  bridge.call(:activate, api_key: 'public_live_sample')
  listen.call

  view = show_flow(bridge, 'onboarding')
  listen.call
  GESTURES.each do |gesture, what|
    say('finger', gesture, what.values.map { |value| brief(value) }.join(' '))
    bridge.call(:perform, view_id: view, gesture => what)
    listen.call
  end
  abort 'the flow is still on screen: nothing is sent' unless registration.finished

  answers = registration.answers
  title "One request to the app's own backend"
  puts 'POST /users', JSON.generate(answers.sort.to_h)

  title 'The profile, enriched'
  say('app', 'update_profile', 'first name, email, birthday, experience')
  bridge.call(:update_profile,
              first_name: answers['name'], email: answers['email'], birthday: answers['birthday'],
              custom_attributes: [{ key: 'experience', string: answers['experience'] }])
  listen.call
end
