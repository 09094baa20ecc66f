import { quotedForShell } from './config/shell-quote.ts';

export interface BannerOptions {
  /** Where the objects are stored. */
  readonly place: string;
  readonly secure?: SecureAddress | undefined;
  /** Base URL of the insecure port. */
  readonly insecureUrl?: string | undefined;
}

export interface SecureAddress {
  readonly url: string;
  /** Absolute path. Absent with a foreign client CA. */
  readonly kubeconfig?: string | undefined;
}

/** What a new user needs to see when the server is ready. */
export function banner({ place, secure, insecureUrl }: BannerOptions): string {
  const url = secure?.url ?? insecureUrl ?? '';
  const paragraphs = [`coxswain is ready at ${url} (${place})`, ...(secure === undefined ? [] : [`  ${secureLine(secure)}`])];
  if (insecureUrl !== undefined) {
    const plain = `plain HTTP for this machine only, where every client is an admin`;
    paragraphs.push(`${secure === undefined ? plain : `${insecureUrl}: ${plain}`}:\n\n  kubectl --server ${insecureUrl} get cronjobs -A`);
  }
  return `${[...paragraphs, 'Ctrl-C stops it.'].join('\n\n')}\n`;
}

const secureLine = ({ kubeconfig }: SecureAddress): string =>
  kubeconfig === undefined
    ? 'no admin.kubeconfig: --client-ca-file is a CA whose key is not available'
    : `export KUBECONFIG=${quotedForShell(kubeconfig)}; kubectl get cronjobs -A`;
