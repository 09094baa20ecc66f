/** Where Events go. */

export interface AuditBackend {
  /** For metrics and messages: `log`, `webhook`. */
  readonly name: string;
  /** Takes the JSON of an Event. Never waits: what does not fit into its buffer is dropped and counted. */
  process(event: string): void;
  /** Resolves when everything is written, or has failed. */
  close(): Promise<void>;
}

/** Told of Events that are lost. */
export type ReportLoss = (count: number, error: Error) => void;
