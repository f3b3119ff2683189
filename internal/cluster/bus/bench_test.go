package bus

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// BenchmarkSend sends parcels of 1 kB and of 64 kB, one after another and 16 at once a processor, within the process and over loopback.
func BenchmarkSend(b *testing.B) {
	for _, size := range []int{1 << 10, 64 << 10} {
		for _, loopback := range []bool{false, true} {
			for _, senders := range []int{1, 16} {
				b.Run(fmt.Sprintf("%dkB/loopback=%v/senders=%d", size>>10, loopback, senders), func(b *testing.B) {
					benchmarkSend(b, size, loopback, senders)
				})
			}
		}
	}
}

func benchmarkSend(b *testing.B, size int, loopback bool, senders int) {
	s := start(b, func(o *ServerOptions) { o.Listen, o.Storage = "127.0.0.1:0", 8<<30 })
	bus := dial(b, "w", func(o *Options) {
		if o.Server = s; loopback {
			o.Server, o.URLs = nil, []string{s.URL()}
		}
	})
	body := make([]byte, size)
	var n atomic.Int64
	b.SetBytes(int64(size))
	b.SetParallelism(senders) // for each processor
	b.ResetTimer()
	send := func() {
		i := n.Add(1)
		if _, err := bus.Send(b.Context(), int(i%256), fmt.Sprintf("w/1/%d", i), body); err != nil {
			b.Error(err)
		}
	}
	if senders == 1 {
		for range b.N {
			send()
		}
	} else {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				send()
			}
		})
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "parcels/s")
}

// BenchmarkReceive receives parcels of 1 kB from all partitions.
func BenchmarkReceive(b *testing.B) {
	bus := dial(b, "w", within(start(b)))
	for i := range b.N {
		if _, err := bus.Send(b.Context(), i%256, fmt.Sprintf("w/1/%d", i), make([]byte, 1<<10)); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(1 << 10)
	b.ResetTimer()
	n := 0
	err := bus.Receive(b.Context(), every(), nil, func(Parcel) error {
		if n++; n == b.N {
			return errEnough
		}
		return nil
	}, nil)
	if n != b.N {
		b.Fatal(n, err)
	}
}
