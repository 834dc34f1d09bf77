# A small client of the Flowbridge broker: binary frames or JSON lines over its Unix socket.
#
#     Bridge.open('my program') do |bridge|
#       bridge.call(:subscribe)
#       flow = bridge.call(:get_flow, placement_id: 'onboarding').flow
#       bridge.take_events.each { |event| p event.kind }
#     end

require 'socket'
require 'flowbridge/v1/frame_pb'

# A refused call. `field` is a dotted path or empty; `retryable` says whether the same call may
# succeed later.
class CallError < StandardError
  attr_reader :code, :field, :retryable

  def self.of(error)
    (error.sdk ? SDKError : BridgeError).new(error)
  end

  def initialize(text, error)
    super(text)
    @field = error.field
    @retryable = error.retryable
  end
end

# A fault of the bridge; `code` is a name such as :WRONG_STATE or :DEADLINE_EXCEEDED.
class BridgeError < CallError
  def initialize(error)
    # A number here is of a newer broker.
    @code = error.bridge.is_a?(Symbol) ? error.bridge : :INTERNAL
    super("#{@code}: #{error.message}", error)
  end
end

# What the SDK itself would have thrown; `code` is its number such as 2002, `name` its name.
class SDKError < CallError
  attr_reader :name

  def initialize(error)
    @code = error.sdk.code
    @name = error.sdk.name
    super("#{@code} #{@name}: #{error.message}", error)
  end
end

# One connection, for one thread. `welcome` is the broker's answer to the greeting.
class Bridge
  FRAME_BYTES_MAX = 1 << 20
  LINE_BYTES_MAX = 4 * FRAME_BYTES_MAX
  PATH_BYTES_MAX = 107 # what a socket's address holds
  GRACE = 0.1 # a call returns at its deadline plus this, whatever the broker does

  Late = Class.new(StandardError)
  private_constant :Late

  include Flowbridge::V1
  attr_reader :welcome

  # Connects, greets, and closes after the block. Without a block the caller closes.
  def self.open(client_name, **options)
    bridge = new(client_name, **options)
    return bridge unless block_given?

    begin
      yield bridge
    ensure
      bridge.close
    end
  end

  # Where the broker listens: FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a folder of this
  # user under the temporary one, which nobody else may be able to enter.
  def self.default_path
    named, runtime, temporary = ENV.values_at('FLOWBRIDGE_SOCKET', 'XDG_RUNTIME_DIR', 'TMPDIR')
    return named unless named.to_s.empty?
    return File.join(runtime, 'flowbridge', 'bridge.sock') unless runtime.to_s.empty?

    temporary = '/tmp' if temporary.to_s.empty?
    folder = File.join(temporary, "flowbridge-#{Process.euid}")
    found = File.lstat(folder)
    unless found.directory? && found.uid == Process.euid && (found.mode & 0o077).zero?
      raise SecurityError, "#{folder} must be a folder of uid #{Process.euid} with mode 0700"
    end
    File.join(folder, 'bridge.sock')
  end

  # A connected socket whose peer was checked; a leading @ means the abstract namespace.
  def self.connect(path = default_path)
    if path.bytesize > PATH_BYTES_MAX
      raise ArgumentError, "#{path} has #{path.bytesize} bytes; a socket path has at most 107"
    end
    socket = UNIXSocket.new(path.sub(/\A@/, "\0"))
    uid, = socket.getpeereid # the kernel says who serves it
    return socket if [Process.euid, 0].include?(uid)

    socket.close
    raise SecurityError, "#{path} is served by uid #{uid}, not by #{Process.euid} or root"
  end

  def initialize(client_name, path: nil, line: false, timeout: 5)
    @line = line
    @buffer = String.new(encoding: Encoding::BINARY)
    @events = []
    @last_id = 0
    @socket = self.class.connect(path || self.class.default_path)
    @welcome = call(:hello, { protocol_major: 1, protocol_minor: 1, client_name: client_name,
                              max_frame: FRAME_BYTES_MAX }, timeout: timeout)
  end

  # Sends one request and returns its reply. Raises BridgeError or SDKError, at the latest 0.1 s
  # after the time-out.
  def call(method, fields = {}, timeout: 10, **more)
    id = @last_id += 1
    till = now + timeout + GRACE
    write(ClientFrame.new(id: id, deadline_ms: [1, (timeout * 1000).round].max,
                          method => fields.merge(more)))
    until (frame = read(till)).id == id
      sort(frame)
      raise Late if now > till # events keep coming, the answer does not
    end
    raise CallError.of(frame.error) if frame.body == :error

    frame[frame.body.to_s]
  rescue Late
    write(ClientFrame.new(cancel: { id: id })) # id 0: no answer is wanted
    raise BridgeError.new(Error.new(bridge: :DEADLINE_EXCEEDED, retryable: true,
                                    message: "#{method} had no answer within #{timeout} s"))
  end

  # The events that are here, in order. Those that a call has caused are here when it returns.
  def take_events
    @events.slice!(0..)
  end

  # The next event, or nil when none came within the seconds given.
  def next_event(timeout:)
    till = now + timeout
    sort(read(till)) while @events.empty?
    @events.shift
  rescue Late
    nil
  end

  def close
    @socket.close
  end

  # One line of the broker as a frame. What a newer broker adds is passed over.
  def self.parse(line)
    Flowbridge::V1::ServerFrame.decode_json(line, ignore_unknown_fields: true)
  end

  # The next whole frame at the head of the buffer, which it leaves, or nil.
  def self.take(buffer, line)
    line ? take_line(buffer) : take_binary(buffer)
  end

  # A length of four bytes, the highest first, and a protobuf message.
  def self.take_binary(buffer)
    return if buffer.bytesize < 4

    length = buffer.unpack1('N')
    unless length.between?(1, FRAME_BYTES_MAX)
      raise IOError, "a frame of #{length} bytes; 1 to #{FRAME_BYTES_MAX} are allowed"
    end
    return if buffer.bytesize < 4 + length

    Flowbridge::V1::ServerFrame.decode(buffer.slice!(0, 4 + length)[4..])
  end
  private_class_method :take_binary

  def self.take_line(buffer)
    if (length = buffer.index("\n"))
      parse(buffer.slice!(0..length).force_encoding(Encoding::UTF_8))
    elsif buffer.bytesize > LINE_BYTES_MAX
      raise IOError, "a line of more than #{LINE_BYTES_MAX} bytes"
    end
  end
  private_class_method :take_line

  private

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def write(frame)
    if @line
      @socket.write(ClientFrame.encode_json(frame), "\n")
    else
      payload = ClientFrame.encode(frame)
      @socket.write([payload.bytesize].pack('N'), payload)
    end
  end

  def read(till)
    until (frame = self.class.take(@buffer, @line))
      raise Late unless @socket.wait_readable([0, till - now].max)

      @buffer << @socket.readpartial(65_536)
    end
    frame
  end

  # Keeps an event; drops the late answer of a call that was given up.
  def sort(frame)
    if frame.body == :event
      @events << frame.event
    elsif frame.id.zero? && frame.body == :error
      raise CallError.of(frame.error) # about the connection itself
    end
  end
end
