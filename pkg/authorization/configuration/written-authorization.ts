/** An AuthorizationConfiguration as it is written in a file: types are correct, but any field may be absent. */
export interface WrittenAuthorization {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly authorizers?: readonly WrittenAuthorizer[];
}

export interface WrittenAuthorizer {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: WrittenWebhook;
}

export interface WrittenWebhook {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string };
  readonly matchConditions?: readonly { readonly expression?: string }[];
}
