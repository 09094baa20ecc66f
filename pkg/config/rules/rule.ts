/** What a rule is. One file per subject exports its rules; `all-rules.ts` joins them. */
import type { ConfigDocument } from '../config-document.ts';
import type { FeatureGates } from '../controllers/feature-gates.ts';
import type { Severity } from '../problem.ts';
import type { ChangedField, DocumentField } from '../defaults/document-fields.ts';

export interface Finding {
  /** What is to be changed. Its place is shown; of what the file does not set, that of the object around it. */
  readonly path: string;
  /** What else the judgement rests on. A finding is dropped when any of it, or `path`, could not be read: its value is then a default nobody asked for. */
  readonly about?: readonly string[];
  /** Without it an error. */
  readonly severity?: Severity;
  readonly reason: string;
  /** Half a sentence that follows the path; names the value, and what would be right. */
  readonly message: string;
}

/** What a rule may look at beside its document. */
export interface Surroundings {
  /** All documents of the file, the judged one among them. */
  readonly documents: readonly ConfigDocument[];
  /** False where another document says something that cannot be read: its value is then a default nobody asked for. */
  readonly isReadable: (document: ConfigDocument, path: string) => boolean;
  /** Those that were set; others have their defaults. */
  readonly featureGates: FeatureGates;
  /** Of the judged document, as `documentFields` has them: all rules look at the same list. */
  readonly fields: readonly DocumentField[];
  /** Of the judged document, as `changedFields` has them. */
  readonly changed: readonly ChangedField[];
}

/** Judges effective values, defaults among them. Reports all that it finds, and does not care in which order. */
export type Rule = (document: ConfigDocument, report: (finding: Finding) => void, around: Surroundings) => void;
