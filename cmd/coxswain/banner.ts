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
    const plain = `plain HTTP for this machine only, and everyone who reaches it is an admin`;
    paragraphs.push(`${secure === undefined ? plain : `${insecureUrl}: ${plain}`}:\n\n  kubectl --server ${insecureUrl} get cronjobs -A`);
  }
  return `${[...paragraphs, 'Ctrl-C stops it.'].join('\n\n')}\n`;
}

const secureLine = ({ kubeconfig }: SecureAddress): string =>
  kubeconfig === undefined
    ? 'no admin.kubeconfig: --client-ca-file says whose client certificates count, and its key is not here'
    : `export KUBECONFIG=${shellWord(kubeconfig)}; kubectl get cronjobs -A`;

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

const shellWord = (text: string): string => (PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
