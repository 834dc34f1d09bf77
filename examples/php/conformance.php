<?php
// Goes through the steps of docs/conformance.md and prints the transcript.
//
//     FLOWBRIDGE_SOCKET=… php conformance.php binary|line

declare(strict_types=1);
require __DIR__ . '/Bridge.php';
require __DIR__ . '/flow.php';

use Flowbridge\V1 as v1;
use Google\Protobuf\Internal\MapField;

const BIG = (1 << 53) + 1; // no double holds it
const FIRST_MISSED = 18;
const LONG_INPUTS = 24;
const LONG_BYTES = 32_000;

define('LINE', ($argv[1] ?? 'binary') === 'line');
define('GOLDEN', getenv('FLOWBRIDGE_GOLDEN') ?: 'proto/golden');

function start(): v1\DeviceClock
{
    return new v1\DeviceClock(
        ['kind' => v1\DeviceClock\Kind::MANUAL, 'start_ms' => 1_767_225_600_000]); // January 2026
}

// What a line of the transcript looks like

function quoted(string $text): string
{
    return '"' . preg_replace_callback('/[^\x20-\x7e]|["%\\\\]/',
        fn (array $found) => sprintf('%%%02X', ord($found[0])), $text) . '"';
}

function doubleText(float $value): string
{
    return 'double=' . (is_nan($value) ? 'nan' : bin2hex(pack('E', $value)));
}

function valueText(v1\Value|v1\AttributeValue $value): string
{
    return match ($value->getKind()) {
        'string' => 'string=' . quoted($value->getString()),
        'int64' => 'int64=' . $value->getInt64(),
        'double' => doubleText($value->getDouble()),
        'bool' => 'bool=' . ($value->getBool() ? 'true' : 'false'),
        'string_list' => 'string_list=[' . implode(',', array_map(
            'quoted', iterator_to_array($value->getStringList()->getValues()))) . ']',
        default => 'none',
    };
}

/** A map of values, ordered by the bytes of the names. */
function members(MapField $values): string
{
    $all = iterator_to_array($values);
    ksort($all, SORT_STRING);
    $text = '';
    foreach ($all as $name => $value) {
        $text .= " $name:" . valueText($value);
    }
    return $text;
}

function eventText(v1\Event $event): string
{
    $kind = $event->getKind() ?: '(unknown kind)';
    return "event {$event->getSequence()} $kind" . match ($kind) {
        'did_receive_analytic_event' => ' ' . $event->getDidReceiveAnalyticEvent()->getName()
            . members($event->getDidReceiveAnalyticEvent()->getParams()),
        'did_load_latest_profile' => members(
            $event->getDidLoadLatestProfile()->getProfile()->getCustomAttributes()),
        'did_perform_action' => ' ' . v1\DidPerformAction\Kind::name(
            $event->getDidPerformAction()->getKind()),
        'view_presented' => ' ' . $event->getViewPresented()->getPlacementId(),
        default => '',
    };
}

function say(int $step, string $text): void
{
    printf("%02d %s\n", $step, $text);
}

function showEvents(Bridge $bridge): void
{
    foreach ($bridge->takeEvents() as $event) {
        echo '   ', eventText($event), "\n";
    }
}

/** Makes a call that has to fail and tells how it did. */
function errorText(callable $call): string
{
    try {
        $call();
        return 'no error';
    } catch (SdkError $error) {
        return "sdk $error->number $error->name";
    } catch (BridgeError $error) {
        return rtrim("bridge $error->name $error->field");
    }
}

// The requests of the steps

function attach(Bridge $bridge): void
{
    $bridge->call('open_device', new v1\OpenDeviceRequest(['device' => 'conformance']));
}

function activate(Bridge $bridge): void
{
    $bridge->call('activate', new v1\ActivateRequest(['api_key' => 'public_live_conformance']));
}

function attribute(string $key, array $change): v1\CustomAttribute
{
    return new v1\CustomAttribute(['key' => $key] + $change);
}

function update(Bridge $bridge, array $attributes, array $fields = []): void
{
    $bridge->call('update_profile', new v1\UpdateProfileRequest(
        ['custom_attributes' => $attributes] + $fields));
}

function show(Bridge $bridge): string
{
    return showFlow($bridge, 'onboarding', fn () => null);
}

// The steps

function greetAndOpen(Bridge $bridge): void
{
    $welcome = $bridge->welcome;
    say(1, "hello major {$welcome->getProtocolMajor()} max_frame {$welcome->getMaxFrame()}");
    $opened = $bridge->call('open_device', new v1\OpenDeviceRequest([
        'device' => 'conformance', 'time_zone' => 'Asia/Kolkata', 'random_seed' => BIG,
        'clock' => start(),
    ]));
    say(2, 'open_device created ' . ($opened->getCreated() ? 'true' : 'false')
        . " time_ms {$opened->getInfo()->getTimeMs()} random_seed {$opened->getInfo()->getRandomSeed()}");
    $reply = $bridge->call('subscribe', new v1\SubscribeRequest(['device' => 'conformance']));
    say(3, "subscribe next_sequence {$reply->getNextSequence()}");
    say(4, 'get_profile error ' . errorText(
        fn () => $bridge->call('get_profile', new v1\GetProfileRequest())));
    activate($bridge);
    say(5, 'activate');
    showEvents($bridge);
}

function drive(Bridge $bridge): void
{
    $request = new v1\GetFlowRequest(['placement_id' => 'onboarding']);
    $flow = $bridge->call('get_flow', $request)->getFlow();
    $locales = [];
    foreach ($flow->getRemoteConfigs() as $config) {
        $locales[] = $config->getLocale();
    }
    say(6, "get_flow {$flow->getId()} " . quoted($flow->getName()) . ' remote configs '
        . implode(' ', $locales));
    $view = show($bridge);
    say(7, 'present');
    showEvents($bridge);
    $gestures = [
        focus('name'), enterText('Zoë 🙂'), blur(), openPicker('birthday'), pick(1960, 6, 15),
        closePicker(), tapButton('next'), tapOption('experience', 'pro'),
        tapOption('interests', 'sports'), tapOption('interests', 'sports'),
        tapToggle('reminders'), tapButton('next'), tapButton('done'),
    ];
    foreach ($gestures as $gesture) {
        perform($bridge, $view, $gesture);
        say(8, "perform $gesture->name");
        showEvents($bridge);
    }
    say(9, 'perform error ' . errorText(fn () => perform($bridge, 'no-such-view', blur())));
}

function updateProfile(Bridge $bridge): void
{
    update($bridge,
        [attribute('experience', ['string' => 'pro']), attribute('score', ['double' => 3.25])],
        ['first_name' => 'Zoë', 'email' => 'zoe@example.com', 'birthday' => '1960-06-15']);
    say(10, 'update_profile set');
    showEvents($bridge);
    update($bridge, [attribute('experience', ['remove' => true])]);
    say(11, 'update_profile remove');
    showEvents($bridge);
    $seen = $bridge->call('inspect_profile', new v1\InspectProfileRequest());
    say(12, 'inspect_profile ' . quoted($seen->getFirstName()) . ' ' . quoted($seen->getEmail())
        . " {$seen->getBirthday()} age {$seen->getAge()}"
        . members($seen->getProfile()->getCustomAttributes()));
}

/** The clock of the device stands, so only this side can notice that time is up. */
function giveUpACall(Bridge $bridge): void
{
    $condition = new v1\CallCondition(['method' => 'get_flow', 'latency_ms' => 60_000]);
    $bridge->call('set_conditions', new v1\SetConditionsRequest(['calls' => [$condition]]));
    $request = new v1\GetFlowRequest(['placement_id' => 'onboarding']);
    say(13, 'get_flow error ' . errorText(fn () => $bridge->call('get_flow', $request, 0.2)));
    $echo = $bridge->call('ping', new v1\PingRequest(['payload' => 'still here']));
    say(14, 'ping ' . quoted($echo->getPayload()));
    $bridge->call('set_conditions', new v1\SetConditionsRequest(['clear' => true]));
}

/** Misses three events, and gets them from the record. */
function comeBack(Bridge $old): Bridge
{
    $old->close();
    $other = new Bridge('conformance while away', line: LINE);
    attach($other);
    foreach ([1.0, 2.0, 3.0] as $number) {
        update($other, [attribute('missed', ['double' => $number])]);
    }
    $other->close();
    $bridge = new Bridge('conformance again', line: LINE);
    attach($bridge);
    $bridge->call('subscribe', new v1\SubscribeRequest(
        ['device' => 'conformance', 'from_sequence' => FIRST_MISSED]));
    update($bridge, [attribute('missed', ['remove' => true])]);
    say(15, 'reconnect');
    showEvents($bridge);
    return $bridge;
}

/** Types so much that a connection that does not read is told that it lags. */
function typeALot(Bridge $reader): int
{
    $writer = new Bridge('conformance lag', line: LINE);
    $writer->call('open_device', new v1\OpenDeviceRequest(['device' => 'lag', 'clock' => start()]));
    activate($writer);
    $view = show($writer);
    $begin = $reader->call('subscribe', new v1\SubscribeRequest(['device' => 'lag']));
    for ($number = 0; $number < LONG_INPUTS; $number++) {
        perform($writer, $view, focus('name'));
        perform($writer, $view, enterText(str_repeat('xy'[$number % 2], LONG_BYTES)));
        perform($writer, $view, blur());
    }
    $writer->close();
    return (int) $begin->getNextSequence();
}

function lag(Bridge $reader): void
{
    $begin = typeALot($reader);
    [$seen, $missed] = [[], []];
    while (count($seen) + count($missed) < LONG_INPUTS) {
        $event = $reader->nextEvent(10.0);
        if ($event->hasLagged()) {
            $lagged = $event->getLagged();
            array_push($missed, ...range($lagged->getFromSequence(), $lagged->getToSequence()));
        } else {
            $seen[] = (int) $event->getSequence();
        }
    }
    say(16, 'lagged ' . ($missed ? 'told' : 'nothing'));
    array_push($seen, ...array_intersect(recorded($reader, $begin), $missed));
    sort($seen);
    $whole = $seen === range($begin, $begin + LONG_INPUTS - 1);
    say(17, 'get_events ' . ($whole ? 'nothing missing, nothing twice' : 'not the missing ones'));
}

/** The sequences of the record, page by page. */
function recorded(Bridge $bridge, int $begin): array
{
    $found = [];
    do {
        $page = $bridge->call('get_events', new v1\GetEventsRequest(
            ['device' => 'lag', 'from_sequence' => $begin, 'page_size' => 8]));
        foreach ($page->getEvents() as $event) {
            $found[] = (int) $event->getSequence();
        }
        $begin = $page->getNextFromSequence();
    } while (!$page->getAtEnd());
    return $found;
}

/** A length of 0, or a line that is no JSON object: answered, then closed. */
function breakTheFraming(): void
{
    $stream = Bridge::connect(Bridge::defaultPath());
    fwrite($stream, LINE ? "GET / HTTP/1.1\r\n\r\n" : "\0\0\0\0");
    $received = stream_get_contents($stream);
    $answer = Bridge::take($received, LINE);
    $error = BridgeError::of($answer->getError());
    say(18, "broken framing id {$answer->getId()} error bridge $error->name, then the end");
}

// The golden frames

/** The message of a commented hex file, without its length. */
function payload(string $name): string
{
    $text = file_get_contents(GOLDEN . "/$name.hex");
    return substr(hex2bin(preg_replace('/#.*|\s/', '', $text)), 4);
}

/** A golden frame in this run's mode; .line is what a newer broker would write. */
function golden(string $name): v1\ServerFrame
{
    if (LINE) {
        $newer = GOLDEN . "/$name.line";
        return Bridge::parse(file_get_contents(
            is_file($newer) ? $newer : GOLDEN . "/$name.json"));
    }
    $frame = new v1\ServerFrame();
    $frame->mergeFromString(payload($name));
    return $frame;
}

/** Whether the bytes and the JSON of a golden frame are the same message. They are compared as
 *  JSON, which leaves out what this schema does not know. */
function isRead(string $name): bool
{
    $kind = str_starts_with($name, 'client/') ? v1\ClientFrame::class : v1\ServerFrame::class;
    [$binary, $json] = [new $kind(), new $kind()];
    $binary->mergeFromString(payload($name));
    $json->mergeFromJsonString(file_get_contents(GOLDEN . "/$name.json"));
    return json_decode($binary->serializeToJsonString(), true)
        == json_decode($json->serializeToJsonString(), true);
}

function readGoldenFrames(): void
{
    say(19, eventText(golden('read/unknown-event-kind')->getEvent()));
    $fields = golden('read/unknown-fields');
    say(20, "unknown fields id {$fields->getId()} ping " . quoted($fields->getPing()->getPayload()));
    foreach (['string', 'int64', 'double', 'bool', 'string-list', 'none'] as $kind) {
        say(21, eventText(golden("server/value-$kind")->getEvent()));
    }
    $names = array_map(fn (string $file) => substr($file, strlen(GOLDEN) + 1, -4),
        glob(GOLDEN . '/*/*.hex'));
    $wrong = array_filter($names, function (string $name): bool {
        try {
            return !isRead($name);
        } catch (Throwable $fault) {
            fwrite(STDERR, "$name: {$fault->getMessage()}\n");
            return true;
        }
    });
    say(22, 'golden frames ' . ($wrong || !$names ? implode(' ', $wrong) : 'all read'));
}

$bridge = new Bridge('conformance', line: LINE);
greetAndOpen($bridge);
drive($bridge);
updateProfile($bridge);
giveUpACall($bridge);
$bridge = comeBack($bridge);
lag($bridge);
$bridge->close();
breakTheFraming();
readGoldenFrames();
