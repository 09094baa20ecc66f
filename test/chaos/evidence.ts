/**
 * What clients saw while things went wrong: their writes with the answers, what they read, and what their watches told.
 * Times are of one clock.
 */

/** Every state that is written carries a mark that no other has. */
export type Mark = string;

export interface ObservedWrite {
  readonly key: string;
  readonly does: 'create' | 'update' | 'delete';
  /** Of what it would write; a delete has one too, which is written nowhere. */
  readonly mark: Mark;
  /** The state it was meant for; 0 for a create. */
  readonly base: number;
  /**
   * `acknowledged`: success. `refused`: the answer says that nothing was written. `unknown`: the answer says that it
   * cannot say, or there was none.
   */
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
  /** The resourceVersion of the answer; undefined for a delete. */
  readonly revision: number | undefined;
  readonly answeredAt: number;
  /** For messages: server and code. */
  readonly note: string;
}

/** A GET without a resourceVersion that was answered. */
export interface ObservedRead {
  readonly key: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Undefined: 404. */
  readonly state: State | undefined;
  readonly note: string;
}

export interface State {
  readonly revision: number;
  readonly mark: Mark;
}

/**
 * A LIST of the whole collection without a resourceVersion that was answered, in one piece or in pages, each perhaps by
 * another server.
 */
export interface ObservedList {
  readonly sentAt: number;
  /** Of the last page. */
  readonly answeredAt: number;
  readonly revision: number;
  /** What pages behind the first one say that they show. */
  readonly laterRevisions: readonly number[];
  readonly states: ReadonlyMap<string, State>;
  readonly note: string;
}

export interface ObservedEvent {
  readonly type: string;
  readonly key: string;
  readonly revision: number;
  readonly mark: Mark;
  readonly toldAt: number;
}

/** A list and all that followed it without another one, over as many connections as it took. */
export interface ObservedSpan {
  readonly watcher: string;
  readonly from: number;
  /** Bookmarks among them: their key is empty. */
  readonly events: readonly ObservedEvent[];
}

/** What an informer told about one object, one after the other, and what it holds in the end. */
export interface ObservedInformer {
  readonly informer: string;
  readonly told: readonly { readonly verb: 'add' | 'update' | 'delete'; readonly key: string; readonly revision: number }[];
  readonly cache: ReadonlyMap<string, number>;
}

export interface Evidence {
  readonly writes: readonly ObservedWrite[];
  readonly reads: readonly ObservedRead[];
  readonly lists: readonly ObservedList[];
  readonly spans: readonly ObservedSpan[];
  readonly informers: readonly ObservedInformer[];
  /** Watches that were told 410. */
  readonly expired: readonly string[];
  /** What no watch should be told: ERROR events but for 410. */
  readonly errors: readonly string[];
  /** How often history was taken away: only then may a watch be told 410. */
  readonly compactions: number;
  /** What has to be known of everybody: all watches have come this far. */
  readonly end: number;
}
