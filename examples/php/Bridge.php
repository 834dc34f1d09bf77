<?php
// A small client of the Flowbridge broker: binary frames or JSON lines over its Unix socket.
//
//     $bridge = new Bridge('my program');
//     $flow = $bridge->call('get_flow', new GetFlowRequest(['placement_id' => 'x']))->getFlow();
//     foreach ($bridge->takeEvents() as $event) …

declare(strict_types=1);

use Flowbridge\V1\CancelRequest;
use Flowbridge\V1\ClientFrame;
use Flowbridge\V1\Error as ErrorMessage;
use Flowbridge\V1\Event;
use Flowbridge\V1\HelloRequest;
use Flowbridge\V1\ServerFrame;
use Flowbridge\V1\WelcomeReply;
use Google\Protobuf\Internal\Message;

// Debian's protobuf has no autoloader of its own; the generated classes are found with this one.
spl_autoload_register(function (string $class): void {
    $generated = getenv('FLOWBRIDGE_PHP') ?: dirname(__DIR__, 2) . '/.build/clients/php';
    foreach ([$generated, '/usr/share/php'] as $folder) {
        $file = $folder . '/' . strtr($class, '\\', '/') . '.php';
        if (is_file($file)) {
            require_once $file;
            return;
        }
    }
});

/** A call that a fault of the bridge refused; $name is such as WRONG_STATE. */
class BridgeError extends RuntimeException
{
    public readonly string $field;
    public readonly bool $retryable;

    public function __construct(public readonly string $name, ErrorMessage $error)
    {
        parent::__construct("$name: {$error->getMessage()}");
        $this->field = $error->getField();
        $this->retryable = $error->getRetryable();
    }

    public static function of(ErrorMessage $error): self
    {
        return $error->hasSdk() ? new SdkError($error) : new self(self::nameOf($error), $error);
    }

    /** A number that this client does not know counts as INTERNAL. */
    private static function nameOf(ErrorMessage $error): string
    {
        try {
            return ErrorMessage\Bridge::name($error->getBridge());
        } catch (UnexpectedValueException) {
            return 'INTERNAL';
        }
    }
}

/** What the SDK itself would have thrown; $number is such as 2002, $name such as notActivated. */
final class SdkError extends BridgeError
{
    public readonly int $number;

    public function __construct(ErrorMessage $error)
    {
        parent::__construct($error->getSdk()->getName(), $error);
        $this->number = $error->getSdk()->getCode();
    }
}

/** No answer, or no event, came in time. */
final class Late extends RuntimeException
{
}

/** One connection. */
final class Bridge
{
    private const FRAME_BYTES_MAX = 1 << 20;
    private const LINE_BYTES_MAX = 4 * self::FRAME_BYTES_MAX;
    private const PATH_BYTES_MAX = 107; // what a socket's address holds
    private const GRACE = 0.1; // a call returns at its deadline plus this, whatever the broker does

    public readonly WelcomeReply $welcome;
    /** @var resource */
    private $stream;
    private string $buffer = '';
    /** @var Event[] */
    private array $events = [];
    private int $lastId = 0;

    /** Connects and greets. Without a path it is found by the rules of docs/protocol.md. */
    public function __construct(string $clientName, ?string $path = null, private bool $line = false)
    {
        $this->stream = self::connect($path ?? self::defaultPath());
        $this->welcome = $this->call('hello', new HelloRequest([
            'protocol_major' => 1, 'protocol_minor' => 1, 'client_name' => $clientName,
            'max_frame' => self::FRAME_BYTES_MAX,
        ]));
    }

    /** Where the broker listens: FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a folder of
     *  this user under the temporary one, which nobody else may be able to enter. */
    public static function defaultPath(): string
    {
        if ($path = getenv('FLOWBRIDGE_SOCKET')) {
            return $path;
        }
        if ($runtime = getenv('XDG_RUNTIME_DIR')) {
            return "$runtime/flowbridge/bridge.sock";
        }
        $uid = posix_geteuid();
        $folder = (getenv('TMPDIR') ?: '/tmp') . "/flowbridge-$uid";
        $found = lstat($folder) ?: throw new RuntimeException("$folder is not there");
        if (($found['mode'] & 0170000) !== 0040000 || $found['uid'] !== $uid || $found['mode'] & 077) {
            throw new RuntimeException("$folder must be a folder of uid $uid with mode 0700");
        }
        return "$folder/bridge.sock";
    }

    /** A connected stream; a leading @ means the abstract namespace.
     *  @return resource */
    public static function connect(string $path)
    {
        if (strlen($path) > self::PATH_BYTES_MAX) {
            throw new InvalidArgumentException(
                "$path has " . strlen($path) . ' bytes; a socket path has at most 107');
        }
        $owner = $path[0] === '@' ? 0 : fileowner($path);
        if ($owner !== 0 && $owner !== posix_geteuid()) {
            throw new RuntimeException("$path belongs to uid $owner, not to this one or root");
        }
        $address = $path[0] === '@' ? "\0" . substr($path, 1) : $path;
        return stream_socket_client("unix://$address", $code, $text, 5.0)
            ?: throw new RuntimeException("$path: $text");
    }

    /** Sends one request and gives its reply. Throws BridgeError or SdkError, at the latest 0.1 s
     *  after the time-out in seconds. */
    public function call(string $method, Message $request, float $timeout = 10.0): Message
    {
        $id = ++$this->lastId;
        $until = microtime(true) + $timeout + self::GRACE;
        $frame = new ClientFrame(['id' => $id, 'deadline_ms' => max(1, (int) ($timeout * 1000))]);
        $frame->{'set' . self::camelCase($method)}($request);
        $this->write($frame);
        try {
            while (($answer = $this->read($until))->getId() != $id) {
                $this->sort($answer);
            }
        } catch (Late) {
            // Id 0: no answer is wanted.
            $this->write(new ClientFrame(['cancel' => new CancelRequest(['id' => $id])]));
            throw new BridgeError('DEADLINE_EXCEEDED', new ErrorMessage(
                ['message' => "$method had no answer within $timeout s", 'retryable' => true]));
        }
        if ($answer->hasError()) {
            throw BridgeError::of($answer->getError());
        }
        return $answer->{'get' . self::camelCase($answer->getBody())}();
    }

    /** The events that are here, in order. Those that a call caused are here when it returns.
     *  @return Event[] */
    public function takeEvents(): array
    {
        [$taken, $this->events] = [$this->events, []];
        return $taken;
    }

    /** The next event, or null when none came within the seconds given. */
    public function nextEvent(float $timeout): ?Event
    {
        $until = microtime(true) + $timeout;
        try {
            while ($this->events === []) {
                $this->sort($this->read($until));
            }
        } catch (Late) {
            return null;
        }
        return array_shift($this->events);
    }

    public function close(): void
    {
        fclose($this->stream);
    }

    /** One line of the broker as a frame. What a newer broker adds is passed over. */
    public static function parse(string $line): ServerFrame
    {
        $frame = new ServerFrame();
        $frame->mergeFromJsonString($line, true);
        return $frame;
    }

    /** The next whole frame at the head of the buffer, which it leaves, or null. */
    public static function take(string &$buffer, bool $line): ?ServerFrame
    {
        return $line ? self::takeLine($buffer) : self::takeBinary($buffer);
    }

    /** A length of four bytes, the highest first, and a protobuf message. */
    private static function takeBinary(string &$buffer): ?ServerFrame
    {
        if (strlen($buffer) < 4) {
            return null;
        }
        $length = unpack('N', $buffer)[1];
        if ($length < 1 || $length > self::FRAME_BYTES_MAX) {
            throw new RuntimeException("a frame of $length bytes");
        }
        if (strlen($buffer) < 4 + $length) {
            return null;
        }
        $frame = new ServerFrame();
        $frame->mergeFromString(substr($buffer, 4, $length));
        $buffer = substr($buffer, 4 + $length);
        return $frame;
    }

    private static function takeLine(string &$buffer): ?ServerFrame
    {
        $end = strpos($buffer, "\n");
        if ($end === false) {
            if (strlen($buffer) > self::LINE_BYTES_MAX) {
                throw new RuntimeException('a line is too long');
            }
            return null;
        }
        $frame = self::parse(substr($buffer, 0, $end));
        $buffer = substr($buffer, $end + 1);
        return $frame;
    }

    private function write(ClientFrame $frame): void
    {
        $bytes = $this->line
            ? $frame->serializeToJsonString() . "\n"
            : pack('N', $frame->byteSize()) . $frame->serializeToString();
        for ($sent = 0; $sent < strlen($bytes); $sent += $count) {
            $count = fwrite($this->stream, substr($bytes, $sent));
            if (!$count) {
                throw new RuntimeException('the broker closed the connection');
            }
        }
    }

    /** The next frame. Past the time nothing is read any more, also while frames keep coming. */
    private function read(float $until): ServerFrame
    {
        while (($frame = self::take($this->buffer, $this->line)) === null) {
            $left = $until - microtime(true);
            [$reading, $none] = [[$this->stream], null];
            if ($left < 0 || !stream_select($reading, $none, $none, 0, (int) ($left * 1e6))) {
                throw new Late();
            }
            $received = fread($this->stream, 65536);
            if ($received === '' || $received === false) {
                throw new RuntimeException('the broker closed the connection');
            }
            $this->buffer .= $received;
        }
        return $frame;
    }

    /** Keeps an event; drops the late answer of a call that was given up. */
    private function sort(ServerFrame $frame): void
    {
        if ($frame->hasEvent()) {
            $this->events[] = $frame->getEvent();
        } elseif ($frame->getId() == 0 && $frame->hasError()) {
            throw BridgeError::of($frame->getError()); // about the connection itself
        }
    }

    private static function camelCase(string $name): string
    {
        return str_replace('_', '', ucwords($name, '_'));
    }
}
