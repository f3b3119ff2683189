package node

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/internal/cluster/bus"
	"orbweaver/server"
)

// Messages is the version of the messages that nodes, workers and clients send each other, and of what they keep for each other on the bus and in a storage. Whoever changes these so that
// a program before the change would not understand them raises it: programs of one cluster speak one version. The entries that tell of it (bus.Program) stay as they are.
const Messages = 2

func thisProgram() bus.Program { return bus.Program{Version: server.Version(), Speaks: Messages} }

// deaf returns the members that are there, but for one name, and speak other messages. One that tells of no version speaks the first.
func deaf(all []bus.Member, but string, speaks int) (others []bus.Member) {
	for _, m := range all {
		if m.Live && m.Worker != but && cmp.Or(m.Speaks, 1) != speaks {
			others = append(others, m)
		}
	}
	return others
}

// spoken says which messages members speak.
func spoken(all []bus.Member) string {
	var words []string
	for _, m := range all {
		words = append(words, fmt.Sprintf("node %s (%s) speaks version %d", m.Worker, cmp.Or(m.Version, "an older one"), cmp.Or(m.Speaks, 1)))
	}
	return strings.Join(words, ", ")
}

// understands returns an error that wraps orbweaver.ErrInput if nodes are there that speak other messages.
func (n *Node) understands(ctx context.Context) error {
	if _, err := n.board.Owners(ctx); err != nil { // looks who is there
		return err
	}
	others := deaf(n.board.Members(), n.o.Name, n.o.Program.Speaks)
	if len(others) == 0 {
		return nil
	}
	return fmt.Errorf("node %s (%s) speaks version %d of the messages of a cluster; %s: begin it with a program of their version, or end all nodes and begin them with the new one (%w)",
		n.o.Name, n.o.Program.Version, n.o.Program.Speaks, spoken(others), orbweaver.ErrInput)
}
