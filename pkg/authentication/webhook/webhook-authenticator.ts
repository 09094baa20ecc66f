/**
 * Asks a webhook who a token belongs to (TokenReview). Answers are remembered for a while. While the webhook is down,
 * those that are remembered stay in use, and other tokens are refused.
 */
import { BoundedMap } from '../../apimachinery/recent/bounded-map.ts';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { UserInfo } from '../authenticator.ts';
import type { AuthenticatedToken, TokenAuthenticator, TokenQuestion } from '../bearer-token.ts';
import { undecided, unauthorized } from '../unauthorized.ts';

export interface WebhookAuthenticatorOptions {
  /** Of the TokenReview. */
  readonly apiVersion: string;
  /** The answer to a TokenReview. Throws an Error without the token. */
  readonly post: (review: unknown) => Promise<unknown>;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  readonly cacheMs: number;
  readonly clock: Pick<Clock, 'now'>;
  /** After each question. */
  readonly onAnswer: (problem: string | undefined) => void;
}

type WebhookFinding = AuthenticatedToken | undefined;

interface Remembered {
  readonly found: WebhookFinding;
  /** Why not, as the webhook says. */
  readonly error: string | undefined;
  readonly until: number;
}

const MAX_REMEMBERED = 16_384;
/** With all of its audiences, so that an answer for one is not that for another. */
const keyOf = ({ token, audiences }: TokenQuestion): string => JSON.stringify([token.digest, ...audiences]);

export function createWebhookAuthenticator(options: WebhookAuthenticatorOptions): TokenAuthenticator {
  const { clock, cacheMs, onAnswer } = options;
  const remembered = new BoundedMap<string, Remembered>(MAX_REMEMBERED);
  const asking = new Map<string, Promise<WebhookFinding>>();

  const accept = ({ found, error }: Remembered): WebhookFinding => {
    if (error !== undefined) throw unauthorized(error);
    return found;
  };

  const ask = async (key: string, question: TokenQuestion): Promise<WebhookFinding> => {
    let answer;
    try {
      answer = readAnswer(await options.post(toReview(question, options)), question, options);
    } catch (error) {
      const problem = errorMessage(error);
      onAnswer(problem);
      throw undecided(`the webhook cannot be asked: ${problem}`);
    }
    onAnswer(undefined);
    const entry = { ...answer, until: clock.now() + cacheMs };
    remembered.set(key, entry);
    return accept(entry);
  };

  return {
    authenticateToken: (question) => {
      const key = keyOf(question);
      const known = remembered.get(key);
      if (known !== undefined && clock.now() < known.until) return accept(known);
      let answer = asking.get(key);
      if (answer === undefined) {
        answer = ask(key, question).finally(() => asking.delete(key));
        asking.set(key, answer);
      }
      return answer;
    },
  };
}

const toReview = ({ token, audiences }: TokenQuestion, { apiVersion }: WebhookAuthenticatorOptions) => ({
  kind: 'TokenReview',
  apiVersion,
  metadata: {},
  spec: { token: token.bytes.toString('utf8'), audiences },
  status: { user: {} },
});

type ReviewMembers = Readonly<Record<string, unknown>>;

function readAnswer(
  answer: unknown,
  { audiences: asked }: TokenQuestion,
  { audiences: own }: WebhookAuthenticatorOptions,
): Pick<Remembered, 'found' | 'error'> {
  const { status } = membersOf(answer);
  if (typeof status !== 'object' || status === null) throw new Error('the answer is no TokenReview');
  const { authenticated, error, user, audiences: named } = membersOf(status);
  const meant = textsOf(named);
  const audiences = asked.filter((audience) => (meant.length === 0 ? own : meant).includes(audience));
  if (audiences.length === 0) return { found: undefined, error: undefined };
  if (authenticated !== true) return { found: undefined, error: typeof error === 'string' && error !== '' ? error : undefined };
  return { found: { user: toUser(membersOf(user)), audiences }, error: undefined };
}

function toUser({ username, uid, groups, extra }: ReviewMembers): UserInfo {
  if (typeof username !== 'string' || username === '') throw new Error('the answer names no user');
  const entries = Object.entries(membersOf(extra)).map(([key, values]) => [key, textsOf(values)] as const);
  return {
    name: username,
    ...(typeof uid === 'string' && uid !== '' ? { uid } : {}),
    groups: textsOf(groups),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}

const membersOf = (value: unknown): ReviewMembers => (typeof value === 'object' && value !== null ? (value as ReviewMembers) : {});
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);
