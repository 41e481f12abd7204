// An OpenID Provider for tests and for trying: `node server.mjs PORT [REDIRECT_URI...]`; port 0 is any free one, which is told. Where its
// standard input is a pipe, whatever comes there gives it new keys and makes it forget who is signed in, and it ends with that pipe.
//
// Who signs in types NAME, NAME~SUB or either with `+mfa` at its end; the password is NAME. NAME is told as preferred_username and, with
// @regix.test, as e-mail; SUB, else NAME, is the lasting identifier. So `ana~2` is another account with Ana's name, and `jelena~ana` is
// Ana's account under a new name. A client `regix-…` is answered with an ID token that is changed in one way, see `changes`.
import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { SignJWT, decodeJwt, decodeProtectedHeader, exportJWK, importJWK } from 'jose';
import Provider from 'oidc-provider';

const [port, ...redirects] = process.argv.slice(2);
const CLIENT_SECRET = 'tajna-klijenta';

// It listens first, so that nobody else can have taken the port that it names itself by.
const server = createServer().listen(Number(port), '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;

/**
 * The private key goes by way of its PEM: Node 20 hangs for ever where the public key of a generated pair is collected as garbage while the
 * private one is being exported as JWK.
 */
const newKey = async (kid) => {
  const encoding = { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048, ...encoding });
  return { ...(await exportJWK(createPrivateKey(privateKey))), kid, alg: 'RS256', use: 'sig' };
};
let foreign;
const foreignKey = async () => (foreign ??= await newKey('tuđi'));

const without = (claims, ...names) => Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));

/** What is changed in a client's ID token: its claims, its header, or the key that signs it. */
const changes = {
  'regix-nonce': (token) => ({ ...token, claims: { ...token.claims, nonce: 'tuđi' } }),
  'regix-audience': (token) => ({ ...token, claims: { ...token.claims, aud: 'druga-aplikacija' } }),
  'regix-issuer': (token) => ({ ...token, claims: { ...token.claims, iss: 'https://drugi.regix.test' } }),
  'regix-expired': (token) => ({ ...token, claims: { ...token.claims, exp: token.claims.iat - 3600 } }),
  // Under the name of the right key.
  'regix-key': async (token) => ({ ...token, key: await foreignKey() }),
  'regix-unsigned': (token) => ({ ...token, header: { alg: 'none' }, key: null }),
  // As a provider answers that does not heed `prompt` and `max_age`.
  'regix-stale': (token) => ({ ...token, claims: { ...token.claims, auth_time: token.claims.auth_time - 600 } }),
  'regix-timeless': (token) => ({ ...token, claims: without(token.claims, 'auth_time') }),
  'regix-acr': (token) => ({ ...token, claims: { ...token.claims, acr: 'srebrna' } }),
  // Nothing is wrong here: who it is stands at the userinfo endpoint only, as the standard has it.
  'regix-userinfo': (token) => ({ ...token, claims: without(token.claims, 'preferred_username', 'email', 'email_verified') }),
};

const account = (login) => {
  const [, name, sub] = /^([^~+]*)(?:~([^+]*))?(?:\+mfa)?$/.exec(login) ?? [];
  return { name, sub: sub ?? name, mfa: login.endsWith('+mfa') };
};

/** The name of each account that has signed in, by its lasting identifier. */
const names = new Map();

const client = (client_id) => ({
  client_id,
  client_secret: CLIENT_SECRET,
  application_type: 'native', // a redirect to 127.0.0.1 is good on any port
  redirect_uris: ['http://127.0.0.1/api/oidc/callback', ...redirects],
  post_logout_redirect_uris: ['http://127.0.0.1/', ...redirects.map((uri) => new URL('/', uri).href)],
});

let key;
let provider;
let answer;

/** Begins anew, with a key that nobody knows. */
async function begin() {
  key = await newKey(randomUUID());
  provider = new Provider(issuer, options());
  provider.use(async (ctx, next) => {
    await next();
    const change = changes[ctx.oidc?.client?.clientId];
    if (ctx.oidc?.route === 'token' && ctx.body?.id_token && change) ctx.body.id_token = await changed(ctx.body.id_token, change);
  });
  answer = provider.callback();
}

const options = () => ({
  clients: ['regix', ...Object.keys(changes)].map(client),
  jwks: { keys: [key] },
  cookies: { keys: [randomUUID()] },
  claims: { openid: ['sub', 'amr'], profile: ['preferred_username'], email: ['email', 'email_verified'], amr: null },
  // The ID token says who it is, as with most providers.
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
  pkce: { required: () => true },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, sub) => {
    const name = names.get(sub);
    const claims = () => ({ sub, preferred_username: name, email: `${name}@regix.test`, email_verified: !name.startsWith('neproveren') });
    return name && { accountId: sub, claims };
  },
});

const page = (body) => `<!doctype html><html lang="sr-Latn"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Prijava bolnice</title><main>${body}</main></html>`;
const form = (uid, failed) =>
  page(`<h1>Prijava bolnice</h1>${failed ? '<p role="alert">Pogrešna lozinka.</p>' : ''}
<form method="post" action="/interaction/${uid}"><label>Nalog <input name="login" autofocus></label>
<label>Lozinka <input name="password" type="password"></label><button>Prijavi se</button></form>
<form method="post" action="/interaction/${uid}"><button name="cancel" value="1">Odustani</button></form>`);

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return parse(Buffer.concat(parts).toString());
}

async function interact(request, response, uid) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  const go = (result) => provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  if (prompt.name === 'consent') {
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    return go({ consent: { grantId: await grant.save() } });
  }
  const { login = '', password, cancel } = request.method === 'POST' ? await bodyOf(request) : {};
  if (cancel) return go({ error: 'access_denied', error_description: 'the user went back' });
  const { name, sub, mfa } = account(login);
  if (name && password === name) {
    names.set(sub, name);
    return go({ login: { accountId: sub, amr: mfa ? ['pwd', 'otp', 'mfa'] : ['pwd'] } });
  }
  response.setHeader('Content-Type', 'text/html; charset=utf-8').end(form(uid, request.method === 'POST'));
}

async function changed(idToken, change) {
  const { header, claims, key: signer } = await change({ header: decodeProtectedHeader(idToken), claims: decodeJwt(idToken), key });
  if (signer) return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(signer, 'RS256'));
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.`;
}

await begin();
server.on('request', (request, response) => {
  const uid = /^\/interaction\/([\w-]+)$/.exec(request.url ?? '')?.[1];
  if (!uid) return void answer(request, response);
  interact(request, response, uid).catch((error) => response.writeHead(400).end(String(error)));
});
console.log(`listening on ${issuer}`);
if (fstatSync(0).isFIFO()) {
  process.stdin.on('data', () => void begin().then(() => console.log('new keys'))).on('end', () => process.exit());
}
