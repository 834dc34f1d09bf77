# Goes through the steps of docs/conformance.md and prints the transcript.
#
#     FLOWBRIDGE_SOCKET=… ruby -I .build/clients/ruby conformance.rb binary|line

require_relative 'flowbridge'

LINE = ARGV.first == 'line'
GOLDEN = ENV.fetch('FLOWBRIDGE_GOLDEN', 'proto/golden')
BIG = 2**53 + 1 # no double holds it
CLOCK = { kind: :MANUAL, start_ms: 1_767_225_600_000 }.freeze # 1 January 2026
FIRST_MISSED = 18
LONG_INPUTS = 24
LONG_TEXTS = ['x' * 32_000, 'y' * 32_000].freeze

GESTURES = [
  [:focus, { element_id: 'name' }],
  [:enter_text, { text: 'Zoë 🙂' }],
  [:blur, {}],
  [:open_picker, { element_id: 'birthday' }],
  [:pick, { date: { year: 1960, month: 6, day: 15 } }],
  [:close_picker, {}],
  [:tap_button, { element_id: 'next' }],
  [:tap_option, { element_id: 'experience', option_id: 'pro' }],
  [:tap_option, { element_id: 'interests', option_id: 'sports' }],
  [:tap_option, { element_id: 'interests', option_id: 'sports' }],
  [:tap_toggle, { element_id: 'reminders' }],
  [:tap_button, { element_id: 'next' }],
  [:tap_button, { element_id: 'done' }]
].freeze

# What a line of the transcript looks like

def quoted(text)
  shown = text.each_byte.map do |byte|
    byte.between?(0x20, 0x7e) && !'"%\\'.include?(byte.chr) ? byte.chr : format('%%%02X', byte)
  end
  %("#{shown.join}")
end

def value_text(value)
  case value.kind
  when nil then 'none'
  when :string then "string=#{quoted(value.string)}"
  when :double # as the bits have it, so that no language rounds
    "double=#{value.double.nan? ? 'nan' : [value.double].pack('G').unpack1('H*')}"
  when :string_list
    "string_list=[#{value.string_list.values.map { |text| quoted(text) }.join(',')}]"
  else "#{value.kind}=#{value[value.kind.to_s]}"
  end
end

# A map of values, ordered by the bytes of the names.
def members(values)
  values.keys.sort.map { |name| " #{name}:#{value_text(values[name])}" }.join
end

def event_text(event)
  content = event[event.kind.to_s] if event.kind
  details = case event.kind
            when :did_receive_analytic_event then " #{content.name}#{members(content.params)}"
            when :did_load_latest_profile then members(content.profile.custom_attributes)
            when :did_perform_action then " #{content.kind}"
            when :view_presented then " #{content.placement_id}"
            end
  "event #{event.sequence} #{event.kind || '(unknown kind)'}#{details}"
end

def say(step, text)
  puts format('%02d %s', step, text)
end

def show_events(bridge)
  bridge.take_events.each { |event| puts "   #{event_text(event)}" }
end

# Makes a call that has to fail and tells how it did.
def error_text
  yield
  'no error'
rescue SDKError => e
  "sdk #{e.code} #{e.name}"
rescue BridgeError => e
  "bridge #{e.code} #{e.field}".rstrip
end

# The steps

def show_flow(bridge)
  flow = bridge.call(:get_flow, placement_id: 'onboarding').flow
  configuration = bridge.call(:get_flow_configuration, variation_id: flow.variation_id)
  view = bridge.call(
    :create_flow_controller, configuration_id: configuration.configuration_id
  ).view_id
  bridge.call(:present, view_id: view)
  view
end

def greet_and_open(bridge)
  say 1, "hello major #{bridge.welcome.protocol_major} max_frame #{bridge.welcome.max_frame}"
  opened = bridge.call(:open_device, device: 'conformance', time_zone: 'Asia/Kolkata',
                                     random_seed: BIG, clock: CLOCK)
  say 2, "open_device created #{opened.created} time_ms #{opened.info.time_ms} " \
         "random_seed #{opened.info.random_seed}"
  reply = bridge.call(:subscribe, device: 'conformance')
  say 3, "subscribe next_sequence #{reply.next_sequence}"
  say 4, "get_profile error #{error_text { bridge.call(:get_profile) }}"
  bridge.call(:activate, api_key: 'public_live_conformance')
  say 5, 'activate'
  show_events bridge
end

def drive(bridge)
  flow = bridge.call(:get_flow, placement_id: 'onboarding').flow
  locales = flow.remote_configs.map(&:locale).join(' ')
  say 6, "get_flow #{flow.id} #{quoted(flow.name)} remote configs #{locales}"
  view = show_flow(bridge)
  say 7, 'present'
  show_events bridge
  GESTURES.each do |gesture, fields|
    bridge.call(:perform, view_id: view, gesture => fields)
    say 8, "perform #{gesture}"
    show_events bridge
  end
  error = error_text { bridge.call(:perform, view_id: 'no-such-view', blur: {}) }
  say 9, "perform error #{error}"
end

def update_profile(bridge)
  bridge.call(:update_profile,
              first_name: 'Zoë', email: 'zoe@example.com', birthday: '1960-06-15',
              custom_attributes: [{ key: 'experience', string: 'pro' },
                                  { key: 'score', double: 3.25 }])
  say 10, 'update_profile set'
  show_events bridge
  bridge.call(:update_profile, custom_attributes: [{ key: 'experience', remove: true }])
  say 11, 'update_profile remove'
  show_events bridge
  seen = bridge.call(:inspect_profile)
  say 12, "inspect_profile #{quoted(seen.first_name)} #{quoted(seen.email)} #{seen.birthday} " \
          "age #{seen.age}#{members(seen.profile.custom_attributes)}"
end

# The clock of the device stands, so only this side can notice that time is up.
def give_up_a_call(bridge)
  bridge.call(:set_conditions, calls: [{ method: 'get_flow', latency_ms: 60_000 }])
  error = error_text { bridge.call(:get_flow, { placement_id: 'onboarding' }, timeout: 0.2) }
  say 13, "get_flow error #{error}"
  say 14, "ping #{quoted(bridge.call(:ping, payload: 'still here'.b).payload)}"
  bridge.call(:set_conditions, clear: true)
end

# Misses three events, and gets them from the record.
def come_back(bridge)
  bridge.close
  Bridge.open('conformance while away', line: LINE) do |other|
    other.call(:open_device, device: 'conformance')
    [1.0, 2.0, 3.0].each do |number|
      other.call(:update_profile, custom_attributes: [{ key: 'missed', double: number }])
    end
  end
  bridge = Bridge.open('conformance again', line: LINE)
  bridge.call(:open_device, device: 'conformance')
  bridge.call(:subscribe, device: 'conformance', from_sequence: FIRST_MISSED)
  bridge.call(:update_profile, custom_attributes: [{ key: 'missed', remove: true }])
  say 15, 'reconnect'
  show_events bridge
  bridge
end

# Types so much that a connection that does not read is told that it lags.
def type_a_lot(reader)
  Bridge.open('conformance lag', line: LINE) do |writer|
    writer.call(:open_device, device: 'lag', clock: CLOCK)
    writer.call(:activate, api_key: 'public_live_conformance')
    view = show_flow(writer)
    first = reader.call(:subscribe, device: 'lag').next_sequence
    LONG_INPUTS.times do |number|
      writer.call(:perform, view_id: view, focus: { element_id: 'name' })
      writer.call(:perform, view_id: view, enter_text: { text: LONG_TEXTS[number % 2] })
      writer.call(:perform, view_id: view, blur: {})
    end
    first
  end
end

def lag(reader)
  first = type_a_lot(reader)
  seen = []
  missed = []
  while seen.length + missed.length < LONG_INPUTS
    event = reader.next_event(timeout: 10)
    if event.kind == :lagged
      missed += (event.lagged.from_sequence..event.lagged.to_sequence).to_a
    else
      seen << event.sequence
    end
  end
  say 16, "lagged #{missed.empty? ? 'nothing' : 'told'}"
  whole = (seen + (recorded(reader, first) & missed)).sort == (first...first + LONG_INPUTS).to_a
  say 17, "get_events #{whole ? 'nothing missing, nothing twice' : 'not the missing ones'}"
end

# The sequences of the record, page by page.
def recorded(bridge, first)
  found = []
  loop do
    page = bridge.call(:get_events, device: 'lag', from_sequence: first, page_size: 8)
    found += page.events.map(&:sequence)
    return found if page.at_end

    first = page.next_from_sequence
  end
end

# A length of 0, or a line that is no JSON object: answered, then closed.
def break_the_framing
  socket = Bridge.connect
  socket.write(LINE ? "GET / HTTP/1.1\r\n\r\n" : "\0\0\0\0")
  answer = Bridge.take(socket.read.b, LINE)
  error = BridgeError.new(answer.error)
  say 18, "broken framing id #{answer.id} error bridge #{error.code}, then the end"
end

# The golden frames

# The message of a commented hex file, without its length.
def payload(name)
  [File.read("#{GOLDEN}/#{name}.hex").gsub(/#.*|\s/, '')].pack('H*')[4..]
end

# A golden frame in this run's mode; .line is what a newer broker would write.
def golden(name)
  return Flowbridge::V1::ServerFrame.decode(payload(name)) unless LINE

  newer = "#{GOLDEN}/#{name}.line"
  Bridge.parse(File.read(File.exist?(newer) ? newer : "#{GOLDEN}/#{name}.json"))
end

# Whether the bytes and the JSON of a golden frame are the same message. They are compared as
# hashes, which leave out what this schema does not know.
def read?(name)
  frame = name.start_with?('client/') ? Flowbridge::V1::ClientFrame : Flowbridge::V1::ServerFrame
  json = frame.decode_json(File.read("#{GOLDEN}/#{name}.json"))
  frame.decode(payload(name)).to_h.inspect == json.to_h.inspect
end

def read_golden_frames
  say 19, event_text(golden('read/unknown-event-kind').event)
  fields = golden('read/unknown-fields')
  say 20, "unknown fields id #{fields.id} ping #{quoted(fields.ping.payload)}"
  %w[string int64 double bool string-list none].each do |kind|
    say 21, event_text(golden("server/value-#{kind}").event)
  end
  names = Dir.glob('*/*.hex', base: GOLDEN).sort.map { |file| file.delete_suffix('.hex') }
  wrong = names.reject { |name| read?(name) }
  say 22, "golden frames #{wrong.any? || names.empty? ? wrong.join(' ') : 'all read'}"
end

bridge = Bridge.open('conformance', line: LINE)
greet_and_open bridge
drive bridge
update_profile bridge
give_up_a_call bridge
bridge = come_back(bridge)
lag bridge
bridge.close
break_the_framing
read_golden_frames
