<?php
// From a placement to a view on screen, and the user's finger on it.

declare(strict_types=1);

use Flowbridge\V1\BlurGesture;
use Flowbridge\V1\CivilDate;
use Flowbridge\V1\ClosePickerGesture;
use Flowbridge\V1\CreateFlowControllerRequest;
use Flowbridge\V1\EnterTextGesture;
use Flowbridge\V1\FocusGesture;
use Flowbridge\V1\GetFlowConfigurationRequest;
use Flowbridge\V1\GetFlowRequest;
use Flowbridge\V1\OpenPickerGesture;
use Flowbridge\V1\PerformRequest;
use Flowbridge\V1\PickGesture;
use Flowbridge\V1\PresentRequest;
use Flowbridge\V1\TapButtonGesture;
use Flowbridge\V1\TapOptionGesture;
use Flowbridge\V1\TapToggleGesture;
use Google\Protobuf\Internal\Message;

/** One touch: its name in the protocol, what is printed of it, and the message. */
final class Gesture
{
    public function __construct(
        public readonly string $name,
        public readonly string $details,
        public readonly Message $message,
    ) {
    }
}

function focus(string $element): Gesture
{
    return new Gesture('focus', $element, new FocusGesture(['element_id' => $element]));
}

function enterText(string $text): Gesture
{
    return new Gesture('enter_text', $text, new EnterTextGesture(['text' => $text]));
}

function blur(): Gesture
{
    return new Gesture('blur', '', new BlurGesture());
}

function openPicker(string $element): Gesture
{
    return new Gesture('open_picker', $element, new OpenPickerGesture(['element_id' => $element]));
}

function pick(int $year, int $month, int $day): Gesture
{
    $date = new CivilDate(['year' => $year, 'month' => $month, 'day' => $day]);
    $details = sprintf('%d-%02d-%02d', $year, $month, $day);
    return new Gesture('pick', $details, new PickGesture(['date' => $date]));
}

function closePicker(): Gesture
{
    return new Gesture('close_picker', '', new ClosePickerGesture());
}

function tapButton(string $element): Gesture
{
    return new Gesture('tap_button', $element, new TapButtonGesture(['element_id' => $element]));
}

function tapOption(string $element, string $option): Gesture
{
    $message = new TapOptionGesture(['element_id' => $element, 'option_id' => $option]);
    return new Gesture('tap_option', "$element $option", $message);
}

function tapToggle(string $element): Gesture
{
    return new Gesture('tap_toggle', $element, new TapToggleGesture(['element_id' => $element]));
}

function perform(Bridge $bridge, string $view, Gesture $gesture): void
{
    $bridge->call('perform', new PerformRequest(
        ['view_id' => $view, $gesture->name => $gesture->message]));
}

/** Fetches the flow of the placement and presents it; gives the id of its view. Tells each call
 *  before it makes it. */
function showFlow(Bridge $bridge, string $placement, callable $tell): string
{
    $tell('get_flow', $placement);
    $flow = $bridge->call('get_flow', new GetFlowRequest(['placement_id' => $placement]))->getFlow();
    $tell('get_flow_configuration', $flow->getName() . ', locale en');
    $configuration = $bridge->call('get_flow_configuration', new GetFlowConfigurationRequest(
        ['variation_id' => $flow->getVariationId(), 'locale' => 'en']));
    $tell('create_flow_controller', '');
    $view = $bridge->call('create_flow_controller', new CreateFlowControllerRequest(
        ['configuration_id' => $configuration->getConfigurationId()]))->getViewId();
    $tell('present', '');
    $bridge->call('present', new PresentRequest(['view_id' => $view]));
    return $view;
}
