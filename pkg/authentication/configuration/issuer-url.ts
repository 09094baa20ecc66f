/** The rules of the URL of an OIDC issuer, in the words of Kubernetes. */

/** `own`: the issuers that this server itself is. */
export function issuerUrlProblems(text: string, own: readonly string[]): readonly string[] {
  const overlap = own.includes(text) ? [`URL must not overlap with disallowed issuers: [${own.join(' ')}]`] : [];
  if (!URL.canParse(text)) return [...overlap, 'it is no URL'];
  const { protocol, username, password, search, hash } = new URL(text);
  return [
    ...overlap,
    ...(protocol === 'https:' ? [] : ['URL scheme must be https']),
    ...(username === '' && password === '' ? [] : ['URL must not contain a username or password']),
    ...(search === '' ? [] : ['URL must not contain a query']),
    ...(hash === '' ? [] : ['URL must not contain a fragment']),
  ];
}

/** The first one, with the URL. */
export function issuerUrlProblem(text: string, own: readonly string[]): string | undefined {
  const [problem] = issuerUrlProblems(text, own);
  return problem === undefined ? undefined : `${JSON.stringify(text)}: ${problem}`;
}
