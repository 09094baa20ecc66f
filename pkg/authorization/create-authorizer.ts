import { authenticatedAuthorizer } from './authenticated.ts';
import type { Authorizer } from './authorizer.ts';
import { publicPathsAuthorizer } from './public-paths.ts';
import { unionAuthorizer } from './union.ts';

/** Who may do what: everyone reads health and version, whoever was authenticated does everything. */
export const createAuthorizer = (): Authorizer => unionAuthorizer([authenticatedAuthorizer, publicPathsAuthorizer]);
