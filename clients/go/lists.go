package daric

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Page is one page of a list, newest first, and the number of all rows.
type Page[T any] struct {
	Data               []T
	Page, Limit, Total int64
}

// Feed is one page of a feed, oldest first.
type Feed[T any] struct {
	Data  []T
	Limit int64
	// Next is the After of the next call; empty while there is no event.
	Next string
	// HasMore says whether more may follow now.
	HasMore bool
}

type pageReader interface{ read(envelope) error }

func (p *Page[T]) read(found envelope) error {
	if err := json.Unmarshal(found.Meta, p); err != nil {
		return err
	}
	return json.Unmarshal(found.Data, &p.Data)
}

func (f *Feed[T]) read(found envelope) error {
	var meta struct {
		Limit   int64   `json:"limit"`
		Next    *string `json:"next"`
		HasMore bool    `json:"has_more"`
	}
	if err := json.Unmarshal(found.Meta, &meta); err != nil {
		return err
	}
	f.Limit, f.HasMore = meta.Limit, meta.HasMore
	if meta.Next != nil {
		f.Next = *meta.Next
	}
	return json.Unmarshal(found.Data, &f.Data)
}

// Rows gives the rows of every page. Each row that exists at the first read comes once; later ones may be left out.
type Rows[T any] struct {
	read   func(after string, limit int64) (*Page[T], error)
	idOf   func(T) string
	page   []T
	row    T
	after  string
	limit  int64
	isLast bool
	err    error
}

func newRows[T any](read func(string, int64) (*Page[T], error), after string, limit int64, idOf func(T) string) *Rows[T] {
	if limit == 0 {
		limit = maxRows
	}
	return &Rows[T]{read: read, idOf: idOf, after: after, limit: limit}
}

// Next moves on to the next row; false after the last one, and after an error.
func (r *Rows[T]) Next() bool {
	if len(r.page) == 0 && !r.isLast && r.err == nil {
		page, err := r.read(r.after, r.limit)
		if err != nil {
			r.err = err
			return false
		}
		r.page, r.isLast = page.Data, int64(len(page.Data)) < page.Limit
	}
	if len(r.page) == 0 {
		return false
	}
	r.row, r.page = r.page[0], r.page[1:]
	r.after = r.idOf(r.row)
	return true
}

// Row is the row that Next moved to.
func (r *Rows[T]) Row() T { return r.row }

// Err is the failure that ended the rows; nil after the last row.
func (r *Rows[T]) Err() error { return r.err }

// FollowOptions are the options of FollowEvents.
type FollowOptions struct {
	// After is the id of the last event that you handled, or newest for later events only; the feed begins with the first event
	// without it.
	After string
	// Types are the names of the wanted events; all without it.
	Types []string
	// Poll is the wait after the newest event; a second without it.
	Poll time.Duration
	// OnFault is called for each temporary fault; the client's warning without it.
	OnFault func(*Error)
}

const maxFeedWait = 30 * time.Second

// FollowEvents gives every event after a position to handle, oldest first, and then each new one, until the context ends or handle
// fails, and returns that error. Keep the ID of the last event that you handled and start again with it as After: no event is left
// out or repeated. An unreachable or overloaded service is waited out, up to 30 s between two calls.
func (c *Client) FollowEvents(ctx context.Context, options FollowOptions, handle func(context.Context, Event) error) error {
	if options.Poll == 0 {
		options.Poll = time.Second
	}
	if options.OnFault == nil {
		options.OnFault = func(fault *Error) { c.warn(fault.Error()) }
	}
	query := ListEventsQuery{Limit: maxRows, After: options.After, Types: strings.Join(options.Types, ",")}
	for {
		feed, err := c.readOn(ctx, query, options.OnFault)
		if err != nil {
			return err
		}
		for _, event := range feed.Data {
			if err := handle(ctx, event); err != nil {
				return err
			}
		}
		query.After = feed.Next
		if !feed.HasMore {
			if err := pause(ctx, options.Poll); err != nil {
				return err
			}
		}
	}
}

// readOn reads the next page, and retries until the service answers.
func (c *Client) readOn(ctx context.Context, query ListEventsQuery, onFault func(*Error)) (*Feed[Event], error) {
	for wait := time.Second; ; wait = min(2*wait, maxFeedWait) {
		feed, err := c.ListEvents(ctx, query)
		var fault *Error
		if err == nil || !errors.As(err, &fault) || !isPassing(fault) {
			return feed, err
		}
		onFault(fault)
		longer := wait
		if fault.RetryAfter != nil {
			longer = max(wait, *fault.RetryAfter)
		}
		if err := pause(ctx, longer); err != nil {
			return nil, err
		}
	}
}
