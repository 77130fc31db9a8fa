import fc from 'fast-check'
import { replyKey, replyTokens } from '../../../src/features/question/reply-tokens.ts'
import { confirmationKeys } from '../../../src/keys/confirmation-keys.ts'
import { confirmPath, paths, replyPath } from '../../../src/shared/api.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import { people } from '../../store/contracts/people.ts'
import { inputs } from '../addresses.ts'

const STILL = '/still-interested'

/** Marks what somebody sent; it must not be found in a log, nor as markup in an answer. */
export const CANARY = 'canary'
const MARKUP = `"><${CANARY}>`

/** A request as nobody should send it. */
export interface HostileRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is written with spaces between. */
const words = (text: string) => fc.constantFrom(...text.split(' '))

const routes = [
  ...'/ /api/accounts /join /joined /healthz /readyz /robots.txt /assets/main-abc123.js'.split(' '),
  ...Object.values(paths),
  ...[confirmPath, STILL, replyPath],
  ...[paths.unsubscribe, confirmPath, STILL, replyPath].map((path) => `${path}/`),
]

/** A site whose form is taken where a test says so. */
export const otherSite = 'https://blog.example.com'

/** Those whose confirmation links the requests have; each has a few tries at a code. */
export const asked = people(50).map(({ email }) => email)

const keys = confirmationKeys(linkKey)
/** When they were asked. */
export const askedAt = new Date()
const genuine = asked.map((email) => keys.sign(ids.of(email), askedAt))
const [first = ''] = genuine
const confirmTokens = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...genuine) },
  fc.constant(keys.sign(ids.of('nobody@example.com'), askedAt)),
  fc.stringMatching(/^[\w-]{52}$/),
  fc.constantFrom(
    ...['', '/', '..', '%00', '%2f', '__proto__', 'x'.repeat(9000), MARKUP, `${first}/`],
    ...[`${first}%00`, `/${first}`, first.slice(1), first.repeat(2), ids.of('a@b.co')],
  ),
)
const confirmUrls = confirmTokens.map((token) => `${confirmPath}/${token}`)

/** Of people who just signed up, and of one who was known. */
const answerUrls = ['ada@example.com', 'bob@example.com'].map(
  (email) => `${replyPath}/${replyTokens(linkKey).seal({ email, key: replyKey() })}`,
)

const wrongPaths = [
  ...['/../package.json', '/..%2fpackage.json', '/%2e%2e/package.json', '/..%5cpackage.json'],
  ...['/....//package.json', '//etc/passwd', '/./data/link.key', '/assets/../../data/link.key'],
  ...['/assets/%2e%2e%2f%2e%2e%2fdata%2flink.key', '/.env', '/.git/config', '/index.html.br'],
  ...['/%00', '/%ff', '/%', '/%zz', '/%c0%ae%c0%ae/', '/index.html/', '/__proto__', '/constructor'],
  ...['*', 'http://evil.example/', '//evil.example/%2e%2e', '/\\evil.example', '/;', '/?', '/#'],
]

const canaries = inputs.map((input) => `${CANARY}-${input}`)
const encoded = canaries.map((text) => encodeURIComponent(text.toWellFormed()))

const urls = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...routes) },
  fc.constantFrom(...wrongPaths),
  fc.tuple(fc.constantFrom(...routes), encoded).map(([route, text]) => `${route}/${text}`),
  fc.tuple(fc.constantFrom(...routes), encoded).map(([route, text]) => `${route}?email=${text}`),
  fc.base64String({ minLength: 40, maxLength: 48 }).map((token) => `/unsubscribe/${token}`),
  fc.stringMatching(/^[\w-]{44}$/).map((token) => `/unsubscribe/${token}`),
  fc.stringMatching(/^[\w-]{44}$/).map((token) => `${STILL}/${token}`),
  confirmUrls,
  fc.constantFrom(...answerUrls),
)

const headerText = fc.oneof(
  encoded,
  fc.stringMatching(/^[\x21-\xff]{0,80}$/),
  fc.constantFrom('', ' ', MARKUP, 'é'.repeat(500)),
  words(`, null undefined ${CANARY}@example.com`),
)

const header = fc.oneof(
  fc.tuple(
    fc.constantFrom('origin', 'host', 'x-forwarded-host', 'forwarded', 'referer'),
    fc.oneof(
      headerText,
      words('http://localhost https://evil.example null http:// evil.example:0'),
    ),
  ),
  fc.tuple(
    fc.constant('cookie'),
    fc.oneof(
      headerText,
      fc.tuple(fc.uuid(), fc.stringMatching(/^[\w-]{43}$/)).map((p) => `session=${p.join('.')}`),
    ),
  ),
  fc.tuple(
    fc.constantFrom('x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'via'),
    fc.oneof(
      headerText,
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom('::', '127.0.0.1, ::1, x', 'fe80::1%0'),
    ),
  ),
  fc.tuple(
    fc.constant('content-type'),
    fc.oneof(
      headerText,
      words('application/json application/x-www-form-urlencoded multipart/form-data'),
      words(
        'application/json;charset=utf-7 multipart/form-data;boundary=x text/plain text/html ; /',
      ),
    ),
  ),
  fc.tuple(
    fc.constantFrom('sec-fetch-site', 'accept', 'accept-encoding', 'if-none-match', 'range', 'te'),
    fc.oneof(headerText, words('same-origin cross-site none br;q=0 bytes=0-,-1 bytes=9-1 *')),
  ),
  fc.tuple(
    fc.constantFrom('expect', 'upgrade', 'if-modified-since', 'x-http-method-override', 'prefer'),
    headerText,
  ),
)

const json = fc.oneof(
  canaries.map((email) => JSON.stringify({ email })),
  fc.json(),
  fc
    .anything()
    .map(
      (email) =>
        JSON.stringify({ email }, (_, value) => (typeof value === 'bigint' ? 1 : value)) ?? '',
    ),
  fc.constantFrom('{', '[]', 'null', '""', '{"email":1}', '{"__proto__":{"email":"a@b.co"}}'),
  fc
    .tuple(
      fc.constantFrom('email', 'comment', 'isLate', 'isOpen', 'answer', 'code', '__proto__'),
      fc.oneof(
        fc.json(),
        fc.constantFrom('{"toString":1,"valueOf":1}', `${'['.repeat(5000)}${']'.repeat(5000)}`),
      ),
    )
    .map(([field, value]) => `{"email":"${CANARY}@example.com","${field}":${value}}`),
  fc.constantFrom('[['.repeat(2500), '\ufeff{}'),
  words('{"constructor":{"prototype":{}}} {"email":"\\ud800@b.co"}'),
)

const form = fc.oneof(
  canaries.map((email) => String(new URLSearchParams({ email }))),
  words('email email= email=a&email=b email[]=x email[x]=y __proto__[email]=x'),
  words(`email=${CANARY}% email=%ff%fe${CANARY} email=${encodeURIComponent(MARKUP)}@b.co`),
  fc.constantFrom('&'.repeat(15_000), 'a=1&'.repeat(4000), `email=${'x'.repeat(16_000)}`),
)

const back = fc.oneof(
  encoded.map((text) => `${otherSite}/${text}`),
  headerText,
  fc.constant(`${otherSite}/\r\nset-cookie: a=${CANARY}`),
  words(`${otherSite}@evil.example ${otherSite}\\evil.example //evil.example /\\evil.example`),
  words(`${otherSite}/?a=${CANARY}@b.co data:,x`),
)
const joinForm = fc.oneof(
  form,
  fc
    .tuple(canaries, back)
    .map(([email, to]) => String(new URLSearchParams({ email, back: to.toWellFormed() }))),
)

/** Fields of a confirmation; none is what a button sends, nor the code of a letter. */
const confirmForm = fc.oneof(
  fc.constantFrom(
    ...['said=s', 'code=9', 'code=-', 'answer=y'].map((one) => one + one.slice(-1).repeat(16_000)),
  ),
  words(
    'answer answer= answer=YES answer=yes%00 answer=+yes answer[]=yes answer[x]=yes Answer=yes',
  ),
  words('answer=yes&answer=yes answer=no&answer=yes __proto__[answer]=yes __proto__=yes'),
  words('constructor[prototype][answer]=yes said said= said[]=x said=%00 said=a&said=b'),
  words(`__proto__[said]=x said=${CANARY} said=${encodeURIComponent(MARKUP)} code=${CANARY}`),
  words(
    'code code= code[]=123456 code=1&code=2 code[toString]=x code=%ff%fe code=１２３４５６ code=1e5',
  ),
  words(`code=${encodeURIComponent(MARKUP)}`),
  canaries.map((code) => String(new URLSearchParams({ code }))),
)

const well = fc.constantFrom<Record<string, string>>(
  {},
  { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
  { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
)

const anyRequest = fc.record({
  method: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'),
  url: urls,
  headers: fc
    .tuple(well, fc.array(header, { maxLength: 4 }))
    .map(([start, more]) => ({ ...start, ...Object.fromEntries(more) })),
  body: fc.oneof(json, form, confirmForm, canaries, fc.constant('')),
})

/** Right but for one header, if at all: these come through to where an address is kept. */
const nearlyRight = (
  url: fc.Arbitrary<string>,
  type: string,
  body: fc.Arbitrary<string>,
  from: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
) =>
  fc.record({
    method: fc.constant('POST'),
    url,
    headers: fc.array(header, { maxLength: 1 }).map((more) => ({
      ...from,
      'content-type': type,
      ...Object.fromEntries(more),
    })),
    body,
  })

/** Requests that are wrong in one place or in many. */
export const hostileRequests: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 2, arbitrary: anyRequest },
  nearlyRight(fc.constant(paths.subscribers), 'application/json', json),
  nearlyRight(fc.constant(paths.subscribe), 'application/x-www-form-urlencoded', form),
  nearlyRight(confirmUrls, 'application/x-www-form-urlencoded', confirmForm),
  nearlyRight(confirmUrls, 'application/json', json),
  nearlyRight(fc.constantFrom(...answerUrls), 'application/x-www-form-urlencoded', confirmForm),
  nearlyRight(fc.constant('/join'), 'application/x-www-form-urlencoded', joinForm, {
    origin: otherSite,
  }),
)
