package flowbridge

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	pb "flowbridge.example/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// Framing turns frames into bytes and back.
type Framing interface {
	Write(*pb.ClientFrame) error
	Read() (*pb.ServerFrame, error)
}

// NewFraming gives the framing of a mode over a connection.
func NewFraming(stream io.ReadWriter, line bool) Framing {
	if line {
		return &lines{stream, bufio.NewReaderSize(stream, 4096)}
	}
	return &binaryFrames{stream, bufio.NewReaderSize(stream, 4096)}
}

// binaryFrames have a length of four bytes, the highest first, and a protobuf message.
type binaryFrames struct {
	writer io.Writer
	reader *bufio.Reader
}

func (b *binaryFrames) Write(frame *pb.ClientFrame) error {
	bytes, err := proto.MarshalOptions{}.MarshalAppend(make([]byte, 4, 256), frame)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(bytes, uint32(len(bytes)-4))
	_, err = b.writer.Write(bytes)
	return err
}

func (b *binaryFrames) Read() (*pb.ServerFrame, error) {
	var header [4]byte
	if _, err := io.ReadFull(b.reader, header[:]); err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint32(header[:])
	if length < 1 || length > FrameBytesMax {
		return nil, fmt.Errorf("a frame of %d bytes; 1 to %d are allowed", length, FrameBytesMax)
	}
	payload := make([]byte, length)
	if _, err := io.ReadFull(b.reader, payload); err != nil {
		return nil, err
	}
	frame := &pb.ServerFrame{}
	return frame, proto.Unmarshal(payload, frame)
}

// lines have one JSON object each. What a newer broker adds is passed over.
type lines struct {
	writer io.Writer
	reader *bufio.Reader
}

func (l *lines) Write(frame *pb.ClientFrame) error {
	bytes, err := protojson.Marshal(frame)
	if err == nil {
		_, err = l.writer.Write(append(bytes, '\n'))
	}
	return err
}

func (l *lines) Read() (*pb.ServerFrame, error) {
	var line []byte
	for {
		part, err := l.reader.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			return ReadLine(line)
		} else if err != bufio.ErrBufferFull {
			return nil, err
		} else if len(line) > 4*FrameBytesMax {
			return nil, fmt.Errorf("a line of more than %d bytes", 4*FrameBytesMax)
		}
	}
}

// ReadLine gives the frame in a line.
func ReadLine(line []byte) (*pb.ServerFrame, error) {
	frame := &pb.ServerFrame{}
	return frame, protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(line, frame)
}
