/** The interface of rules. Each file exports the rules of one subject; `all-rules.ts` collects them. */
import type { ConfigDocument } from '../config-document.ts';
import type { FeatureGates } from '../controllers/feature-gates.ts';
import type { Severity } from '../problem.ts';
import type { ChangedField, DocumentField } from '../defaults/document-fields.ts';

export interface Finding {
  /** The field to change. Shown with its position, or with that of the enclosing object if the file does not set it. */
  readonly path: string;
  /** Other fields that the finding depends on. If one of them or `path` is invalid, the finding is dropped. */
  readonly relatedPaths?: readonly string[];
  /** Default: error. */
  readonly severity?: Severity;
  readonly reason: string;
  /** A clause that follows the path; contains the value, and what is expected. */
  readonly message: string;
}

/** The input of a rule besides its document. */
export interface ConfigRuleContext {
  /** All documents of the file, including this one. */
  readonly documents: readonly ConfigDocument[];
  /** False if a value of another document is invalid, so its default would be used. */
  readonly isReadable: (document: ConfigDocument, path: string) => boolean;
  /** Explicitly set gates; others have their defaults. */
  readonly featureGates: FeatureGates;
  /** The `documentFields` of this document, computed once for all rules. */
  readonly fields: readonly DocumentField[];
  /** The `changedFields` of this document. */
  readonly changed: readonly ChangedField[];
}

/** Checks effective values, including defaults. Reports all findings, in any order. */
export type ConfigRule = (document: ConfigDocument, report: (finding: Finding) => void, context: ConfigRuleContext) => void;
