// Package flowbridge is a small client of the Flowbridge broker.
//
//	client, err := flowbridge.Dial(ctx, "my program", flowbridge.Options{})
//	frame, err := client.Call(ctx, &pb.ClientFrame{
//		Body: &pb.ClientFrame_Subscribe{Subscribe: &pb.SubscribeRequest{}}})
//	for _, event := range client.TakeEvents() { … }
package flowbridge

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	pb "flowbridge.example/v1"
)

// FrameBytesMax bounds a frame, either way.
const FrameBytesMax = 1 << 20

// An Error is a refused call.
type Error struct {
	SDK       *pb.SdkError // what the SDK itself would have thrown; nil: a fault of the bridge
	Code      string       // of the bridge, such as WRONG_STATE
	Message   string       // what, which value, which limit, what to do
	Field     string       // a dotted path, or empty
	Retryable bool         // the same call may succeed later
	Reply     *pb.Error    // as it came
}

// NewError makes the error of a reply. A number that this client does not know counts as INTERNAL.
func NewError(reply *pb.Error) *Error {
	code, known := pb.Error_Bridge_name[int32(reply.Bridge)]
	if !known {
		code = "INTERNAL"
	}
	return &Error{reply.Sdk, code, reply.Message, reply.Field, reply.Retryable, reply}
}

func (e *Error) Error() string {
	if e.SDK != nil {
		return fmt.Sprintf("%d %s: %s", e.SDK.Code, e.SDK.Name, e.Message)
	}
	return e.Code + ": " + e.Message
}

// Options of Dial; the zero value is binary mode at the standard path.
type Options struct {
	Path string
	Line bool // JSON lines instead of binary frames
}

// A Client is one connection. Any goroutine may use it.
type Client struct {
	Welcome *pb.WelcomeReply

	connection net.Conn
	framing    Framing
	writing    sync.Mutex // one frame at a time

	mutex   sync.Mutex // guards what follows
	lastID  uint64
	waiting map[uint64]chan *pb.ServerFrame
	events  []*pb.Event
	arrived chan struct{} // has an entry when events came since somebody looked
	ended   chan struct{} // closed when the connection is over
	fault   error
	paused  chan struct{} // closed when reading goes on
}

// Dial connects and greets. The broker must run under this user's uid or root's.
func Dial(ctx context.Context, name string, options Options) (*Client, error) {
	connection, err := Connect(ctx, options.Path)
	if err != nil {
		return nil, err
	}
	running := make(chan struct{})
	close(running)
	client := &Client{
		connection: connection, framing: NewFraming(connection, options.Line),
		waiting: map[uint64]chan *pb.ServerFrame{}, paused: running,
		arrived: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	go client.read()
	frame, err := client.Call(ctx, &pb.ClientFrame{Body: &pb.ClientFrame_Hello{
		Hello: &pb.HelloRequest{
			ProtocolMajor: 1, ProtocolMinor: 1, ClientName: name, MaxFrame: FrameBytesMax}}})
	if err != nil {
		client.Close()
		return nil, err
	}
	client.Welcome = frame.GetWelcome()
	return client, nil
}

// Call sends a frame, of which the caller gives the body, and returns the frame that answers it.
// The error is an *Error when the broker refused, and the context's when that ended first.
func (c *Client) Call(ctx context.Context, frame *pb.ClientFrame) (*pb.ServerFrame, error) {
	if deadline, has := ctx.Deadline(); has {
		frame.DeadlineMs = uint32(max(1, time.Until(deadline).Milliseconds()))
	}
	answer := c.expect(frame)
	defer c.forget(frame.Id)
	if err := c.send(frame); err != nil {
		return nil, err
	}
	select {
	case reply := <-answer:
		if reply.GetError() != nil {
			return nil, NewError(reply.GetError())
		}
		return reply, nil
	case <-c.ended:
		return nil, c.fault
	case <-ctx.Done():
		// Id 0: no answer is wanted. The late one is dropped.
		c.send(&pb.ClientFrame{Body: &pb.ClientFrame_Cancel{Cancel: &pb.CancelRequest{Id: frame.Id}}})
		return nil, ctx.Err()
	}
}

// TakeEvents gives the events that are here, in order. Those that a call caused are here when it
// returns.
func (c *Client) TakeEvents() []*pb.Event {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	events := c.events
	c.events = nil
	return events
}

// NextEvent waits for an event.
func (c *Client) NextEvent(ctx context.Context) (*pb.Event, error) {
	for {
		c.mutex.Lock()
		if len(c.events) > 0 {
			event := c.events[0]
			c.events = c.events[1:]
			c.mutex.Unlock()
			return event, nil
		}
		c.mutex.Unlock()
		select {
		case <-c.arrived:
		case <-c.ended:
			return nil, c.fault
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Pause stops reading until the function that it returns is called; then the broker keeps what
// comes, and says when it was too much. A frame that is being read is still taken.
func (c *Client) Pause() (resume func()) {
	paused := make(chan struct{})
	c.mutex.Lock()
	c.paused = paused
	c.mutex.Unlock()
	return func() { close(paused) }
}

// Close ends the connection and every call that waits.
func (c *Client) Close() error { return c.connection.Close() }

func (c *Client) expect(frame *pb.ClientFrame) chan *pb.ServerFrame {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.lastID++
	frame.Id = c.lastID
	answer := make(chan *pb.ServerFrame, 1)
	c.waiting[frame.Id] = answer
	return answer
}

func (c *Client) forget(id uint64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.waiting, id)
}

func (c *Client) send(frame *pb.ClientFrame) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.framing.Write(frame)
}

func (c *Client) read() {
	for {
		frame, err := c.framing.Read()
		if err == nil {
			err = c.sort(frame)
		}
		if err != nil {
			c.fault = err
			close(c.ended)
			c.connection.Close()
			return
		}
		c.mutex.Lock()
		paused := c.paused
		c.mutex.Unlock()
		<-paused
	}
}

// sort keeps an event, and hands an answer to who waits for it.
func (c *Client) sort(frame *pb.ServerFrame) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if event := frame.GetEvent(); event != nil {
		c.events = append(c.events, event)
		select {
		case c.arrived <- struct{}{}:
		default:
		}
	} else if answer := c.waiting[frame.Id]; answer != nil {
		answer <- frame
	} else if frame.Id == 0 && frame.GetError() != nil {
		return NewError(frame.GetError()) // a fault of the framing
	}
	return nil
}

func max(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
}
