<?php
// Registers a user through the sample flow, as an app would.
//
// One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
// user's finger, which types and taps. The app keeps the last value of every input; when the flow
// has disappeared it has all that its own backend needs, and enriches the profile with it.

declare(strict_types=1);
require __DIR__ . '/Bridge.php';
require __DIR__ . '/flow.php';

use Flowbridge\V1\ActivateRequest;
use Flowbridge\V1\CustomAttribute;
use Flowbridge\V1\DidPerformAction;
use Flowbridge\V1\Event;
use Flowbridge\V1\OpenDeviceRequest;
use Flowbridge\V1\SubscribeRequest;
use Flowbridge\V1\UpdateProfileRequest;
use Flowbridge\V1\Value;

const TIME_ZONE = 'Asia/Kolkata';

function say(string $who, string $what, string $details = ''): void
{
    echo rtrim(sprintf('%-11s %-28s %s', $who, $what, $details)), "\n";
}

function title(string $text): void
{
    echo "\n$text\n", str_repeat('-', strlen($text)), "\n";
}

/** The plain PHP value of a Value. */
function plain(Value $value): mixed
{
    return match ($value->getKind()) {
        'string' => $value->getString(),
        'int64' => $value->getInt64(),
        'double' => $value->getDouble(),
        'bool' => $value->getBool(),
        'string_list' => iterator_to_array($value->getStringList()->getValues()),
        default => null,
    };
}

function json(mixed $value): string
{
    return str_replace('","', '", "', json_encode($value));
}

/** What the app collects: the last value of every input; each event carries the whole one. */
final class Registration
{
    public array $answers = [];
    public bool $finished = false;

    public function hear(Event $event): void
    {
        $kind = $event->getKind();
        if ($kind === 'flow_did_disappear') {
            $this->finished = true;
        } elseif ($kind === 'did_receive_analytic_event') {
            $analytic = $event->getDidReceiveAnalyticEvent();
            $params = array_map('plain', iterator_to_array($analytic->getParams()));
            if ($analytic->getName() === 'flow_user_input') {
                $this->answers[$params['element_id']] = $this->answer($params, $event->getTimeZone());
            }
        }
    }

    private function answer(array $params, string $zone): mixed
    {
        return match ($params['element_type']) {
            'single_choice' => $params['item_ids'][0],
            'multi_choice' => $params['item_ids'],
            // The instant at which the day begins where the user is. Turn it into a day now and in
            // that zone: read later or elsewhere, the instant is another day.
            'date_picker' => (new DateTimeImmutable('@' . intdiv($params['value'], 1000)))
                ->setTimezone(new DateTimeZone($zone))->format('Y-m-d'),
            default => $params['value'],
        };
    }
}

/** What is printed of a callback: its name and what it carries. */
function story(Event $event): array
{
    $kind = $event->getKind();
    switch ($kind) {
        case 'did_receive_analytic_event':
            $analytic = $event->getDidReceiveAnalyticEvent();
            $params = array_map('plain', iterator_to_array($analytic->getParams()));
            $details = $analytic->getName() === 'flow_user_input'
                ? $params['element_id'] . ' = ' . json($params['value'] ?? $params['item_titles'])
                : $params['instanceId'];
            return [$analytic->getName(), $details];
        case 'did_perform_action':
            return [$kind, DidPerformAction\Kind::name($event->getDidPerformAction()->getKind())];
        case 'view_presented':
            return [$kind, $event->getViewPresented()->getPlacementId()];
        case 'did_load_latest_profile':
            $shown = [];
            foreach ($event->getDidLoadLatestProfile()->getProfile()->getCustomAttributes() as $key => $value) {
                $shown[] = "$key = " . json($value->getString());
            }
            return [$kind, implode(', ', $shown)];
        default:
            return [$kind, ''];
    }
}

$bridge = new Bridge('register_user.php');
$registration = new Registration();
$listen = function () use ($bridge, $registration): void { // those of a call are there before its reply
    foreach ($bridge->takeEvents() as $event) {
        say('  callback', ...story($event));
        $registration->hear($event);
    }
};

title('A user registers');
$device = 'phone-' . getmypid();
say('app', 'open_device', TIME_ZONE);
$bridge->call('open_device', new OpenDeviceRequest(['device' => $device, 'time_zone' => TIME_ZONE]));
$bridge->call('subscribe', new SubscribeRequest(['device' => $device]));
say('app', 'activate');
$bridge->call('activate', new ActivateRequest(['api_key' => 'public_live_sample']));
$listen();

$view = showFlow($bridge, 'onboarding', fn (string $call, string $details) => say('app', $call, $details));
$listen();
$gestures = [
    focus('name'), enterText('Jane'), blur(),
    focus('email'), enterText('jane@example.com'), blur(),
    openPicker('birthday'), pick(1990, 6, 15), closePicker(), tapButton('next'),
    tapOption('experience', 'pro'), tapOption('interests', 'sports'),
    tapOption('interests', 'music'), tapToggle('reminders'), tapButton('next'), tapButton('done'),
];
foreach ($gestures as $gesture) {
    say('finger', $gesture->name, $gesture->details);
    perform($bridge, $view, $gesture);
    $listen();
}
$registration->finished || exit("the flow is still on screen: nothing is sent\n");

title("One request to the app's own backend");
$answers = $registration->answers;
ksort($answers);
echo "POST /users\n", json_encode($answers), "\n";

title('The profile, enriched');
say('app', 'update_profile', 'first name, email, birthday, experience');
$bridge->call('update_profile', new UpdateProfileRequest([
    'first_name' => $answers['name'], 'email' => $answers['email'],
    'birthday' => $answers['birthday'],
    'custom_attributes' => [
        new CustomAttribute(['key' => 'experience', 'string' => $answers['experience']]),
    ],
]));
$listen();
