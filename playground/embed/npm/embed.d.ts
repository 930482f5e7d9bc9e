/** The share of a priority, as `<spillgate-split>` shows it. */
export interface PriorityShare {
  /** The cluster that owns the priority. */
  cluster: string;
  /** Its number in that cluster. */
  priority: number;
  /** The load in percent. */
  load: number;
  /** The share of all requests in percent. */
  share: number;
  /** All hosts. */
  hosts: number;
  /** The healthy ones. */
  healthy: number;
  /** Whether the priority is in panic mode, alone or with all others. */
  panic: null | "panic" | "total";
}

/** What `spillgate-change` reports after the reader moved a slider. */
export interface SplitChange {
  /** The link of the changed scenario. */
  state: string;
  /** One entry for each priority. */
  shares: PriorityShare[];
  /** The share of the requests without a host in percent. */
  noHost: number;
}

/** What `spillgate-error` reports when the element shows its children instead. */
export interface SplitError {
  /** The reason. */
  reason: string;
}

declare global {
  interface HTMLElementTagNameMap {
    "spillgate-split": HTMLElement;
  }
  interface HTMLElementEventMap {
    "spillgate-change": CustomEvent<SplitChange>;
    "spillgate-error": CustomEvent<SplitError>;
  }
}
