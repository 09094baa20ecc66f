export interface BannerOptions {
  readonly url: string;
  readonly place: string;
}

/** What a newcomer needs to see once the server is ready. */
export const banner = ({ url, place }: BannerOptions): string => `coxswain is ready at ${url} (plain HTTP, this machine only; ${place})

  curl ${url}/apis
  curl ${url}/apis/batch/v1/cronjobs
  curl -X POST -H 'Content-Type: application/json' ${url}/apis/apps/v1/namespaces/default/controllerrevisions \\
       -d '{"metadata":{"name":"first"},"revision":1,"data":{"hello":"world"}}'
  curl -N '${url}/apis/batch/v1/cronjobs?watch=true'
  kubectl --server ${url} create --validate=false -f examples/cronjob.yaml
  kubectl --server ${url} get cronjobs -A -o json
  curl '${url}/readyz?verbose'

Ctrl-C stops it.
`;
