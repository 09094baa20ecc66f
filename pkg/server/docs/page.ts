/**
 * The page of `/docs`, with its style and script. They are strings, so that they work both from sources and when
 * bundled. References are relative, since a proxy may serve the page below a prefix.
 */

export const PAGE_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Coxswain API</title>
    <link rel="icon" type="image/png" sizes="32x32" href="docs/favicon-32x32.png" />
    <link rel="icon" type="image/png" sizes="16x16" href="docs/favicon-16x16.png" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="stylesheet" href="docs/page.css" />
  </head>
  <body>
    <div id="api"></div>
    <noscript>This page needs JavaScript. The documents it shows are listed at <a href="openapi/v3">openapi/v3</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/swagger-ui-standalone-preset.js"></script>
    <script src="docs/init.js"></script>
  </body>
</html>
`;

export const PAGE_CSS = `body {
  margin: 0;
  background: #fafafa;
}
.api-name {
  flex: 1;
  color: #fff;
  font: bold 1.25em sans-serif;
}
.failure {
  margin: 3em;
  font: 1em sans-serif;
}
`;

/**
 * Runs in the browser. Passes all documents of `/openapi/v3` to the viewer, with relative URLs, since the absolute ones
 * of the list would lose the prefix of a proxy. Replaces the viewer's logo, whose style element violates the policy.
 */
export const PAGE_SCRIPT = `'use strict';

/* Group versions first: they hold the operations on objects. */
const isGroupVersion = (path) => path.split('/').length === 3;
const byKindAndName = ([a], [b]) => Number(isGroupVersion(b)) - Number(isGroupVersion(a)) || a.localeCompare(b);

function show(urls) {
  SwaggerUIBundle({
    dom_id: '#api',
    urls,
    layout: 'StandaloneLayout',
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [({ React }) => ({ components: { Logo: () => React.createElement('span', { className: 'api-name' }, 'Coxswain API') } })],
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    filter: true,
    validatorUrl: null,
  });
}

function fail(why) {
  const text = document.createElement('p');
  text.className = 'failure';
  text.textContent = 'The list of API documents (openapi/v3) cannot be read: ' + why;
  document.getElementById('api').replaceChildren(text);
}

async function start() {
  const answer = await fetch('openapi/v3', { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error('the server responded with ' + answer.status + ' ' + answer.statusText);
  const { paths } = await answer.json();
  const documents = Object.entries(paths).sort(byKindAndName);
  show(documents.map(([name, { serverRelativeURL }]) => ({ name, url: new URL(serverRelativeURL.slice(1), document.baseURI).href })));
}

start().catch((error) => fail(error.message));
`;
