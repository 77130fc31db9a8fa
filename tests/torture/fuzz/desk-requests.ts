import fc from 'fast-check'
import { deskPaths } from '../../../src/desk/contract/pages.ts'
import { inputs } from '../addresses.ts'
import { CANARY, type HostileRequest } from './requests.ts'

const MARKUP = `"><${CANARY}>`
const texts = fc.oneof(
  inputs.map((input) => `${CANARY}-${input}`.toWellFormed()),
  fc.constantFrom('', ' ', '0', '-1', '1e9', 'on', 'all', 'null', '__proto__', '..', '../launch'),
  fc.constantFrom(MARKUP, '\0', '\r\nx: y', 'x'.repeat(20_000), '{', '[]', '{"id":{}}'),
)

const { today, people, letters, opening, access, events } = deskPaths
/** Each route of the desk; `:id` and `:name` are of somebody, of something, or made up. */
export const deskRoutes = [
  ...[today, people, `${people}/search`, `${people}/export`],
  ...['', '/forget', '/unsubscribe', '/release'].map((rest) => `${people}/:id${rest}`),
  ...[letters, `${letters}/new`],
  ...['', '/edit', '/html', '/letter.eml', '/letter.md'].map((rest) => `${letters}/:name${rest}`),
  ...['/check', '/test', '/send', '/stop', '/remove'].map((rest) => `${letters}/:name${rest}`),
  ...[opening, `${opening}/look`, `${opening}/undo`],
  ...['', '/end'].map((rest) => access + rest),
  ...[events, `${today}/files/:name`],
]

/** An address as nobody can be written to: what is right would be a test that somebody asked for. */
const noAddress = fc.constantFrom(
  ...['', 'a@b', 'a@b.co,c@d.co', 'a@b.co\r\nBcc: c@d.co', '<a@b.co', `${CANARY}@`, MARKUP],
)

function fieldOf(listed: string) {
  return fc.oneof(
    ...[
      ['q', 'text', 'standing', 'source', 'from', 'to-day', 'page', 'sort', 'format', 'id', 'end'],
      ['title', 'name', 'subject', 'preview', 'replyTo', 'source', 'copy', 'markdown', 'body'],
      ['stage', 'people', 'run', 'version', 'force', 'rate', 'alsoWhoGot'],
      ['url', 'when', 'at', 'zone', 'mark', 'word', 'session', 'answer', 'code'],
    ].map((names) => fc.tuple(fc.constantFrom(...names), texts)),
    fc.tuple(fc.constant('to'), noAddress),
    fc.tuple(fc.constant('end'), fc.constantFrom('erase', 'erase-sure', 'release')),
    fc.tuple(fc.constant('id'), fc.constant(listed)),
    fc.tuple(fc.constant('stage'), fc.constantFrom('everyone', 'one-per-cent', 'failed')),
    fc.tuple(fc.constant('people'), fc.constantFrom('0', '-7', '7.5e0', '8', '7'.repeat(9))),
    fc.tuple(fc.constant('url'), fc.constantFrom('https://app.example.com', 'javascript:x')),
  )
}

function urlsOf(listed: string) {
  return fc
    .tuple(
      fc.constantFrom(...deskRoutes),
      fc.oneof(
        texts.map((text) => encodeURIComponent(text).slice(0, 4000)),
        fc.constant(listed),
        { weight: 2, arbitrary: fc.constant('launch') },
      ),
      fc.array(fieldOf(listed), { maxLength: 2 }),
    )
    .map(([route, behind, query]) => {
      const path = route.replace(/:\w+/, () => behind || 'x')
      const search = new URLSearchParams(query).toString().slice(0, 4000)
      return search ? `${path}?${search}` : path
    })
}

/**
 * What nobody asks of the desk; but for its fields it is as its own pages send it.
 *
 * @param listed the id of somebody who is on the list.
 */
export function deskRequests(listed: string): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      method: fc.constantFrom('GET', 'GET', 'POST', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE'),
      url: urlsOf(listed),
      headers: fc.oneof(
        { weight: 3, arbitrary: fc.constant(ofType('application/x-www-form-urlencoded')) },
        fc.constantFrom(
          ...['application/json', 'text/plain', 'multipart/form-data; boundary=x', ';'].map(ofType),
        ),
      ),
      body: fc.oneof(
        { weight: 4, arbitrary: fc.array(fieldOf(listed), { maxLength: 6 }).map(encoded) },
        fc.constantFrom('', '{', '[]', 'null', '--x', '--x\r\n\r\n--x--', '%', '&'.repeat(9000)),
      ),
    })
    .filter((request) => mayBeAsked(request, listed))
}

function ofType(type: string): Record<string, string> {
  return { 'content-type': type }
}

function encoded(fields: readonly (readonly [string, string])[]): string {
  return fields.map((one) => new URLSearchParams([[...one]])).join('&')
}

/**
 * A stream has no end, and a check asks the DNS of others. To forget somebody or to remove a letter is
 * what a form may ask.
 */
function mayBeAsked({ method, url }: HostileRequest, listed: string): boolean {
  const [path = ''] = url.split('?')
  if (path === events && method !== 'POST') return false
  const ofLetter = ['check', 'remove'].map((word) => `${letters}/launch/${word}`)
  return ![...ofLetter, `${people}/${listed}/forget`].includes(path)
}
