/** An AuthenticationConfiguration as it is written in a file. */

/** As written: types are correct, but any field may be absent. */
export interface WrittenConfiguration {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly jwt?: readonly WrittenJwt[];
  readonly anonymous?: {
    readonly enabled?: boolean;
    readonly conditions?: readonly { readonly path?: string }[];
  };
}

export interface WrittenJwt {
  readonly issuer?: WrittenIssuer;
  readonly claimValidationRules?: readonly {
    readonly claim?: string;
    readonly requiredValue?: string;
    readonly expression?: string;
    readonly message?: string;
  }[];
  readonly claimMappings?: {
    readonly username?: WrittenMapping;
    readonly groups?: WrittenMapping;
    readonly uid?: WrittenMapping;
    readonly extra?: readonly { readonly key?: string; readonly valueExpression?: string }[];
  };
  readonly userValidationRules?: readonly { readonly expression?: string; readonly message?: string }[];
}

export interface WrittenIssuer {
  readonly url?: string;
  readonly discoveryURL?: string;
  readonly certificateAuthority?: string;
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

export interface WrittenMapping {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}
