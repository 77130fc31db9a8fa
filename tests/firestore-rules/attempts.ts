import { randomBytes } from 'node:crypto'
import product from '../../product.config.ts'
import { RECORDS_A_USER, recordId } from '../../src/shared/record-id.ts'
import { subscribersPath } from '../../src/shared/subscriber.ts'
import { type firestoreRest, OWNER, type Value, type Write } from '../emulators/firestore-rest.ts'
import { newVisitor, record } from '../emulators/firestore-visitor.ts'
import { emailCases, seenByTheWholeRule } from '../shared/email-cases.ts'

type Rest = ReturnType<typeof firestoreRest>

/** Something that somebody tries on a Firestore under our rules. */
interface Attempt {
  readonly name: string
  readonly verdict: 'allows' | 'refuses'
  /** @returns the HTTP status of the answer. */
  readonly run: (rest: Rest, project: string) => Promise<number>
}

const collection = subscribersPath(product.appId).slice(1)
const randomId = () => randomBytes(10).toString('hex')
const places = Array.from({ length: RECORDS_A_USER }, (_, place) => place)

/** A record where its visitor may write it. */
const own = (email: string) => record(email, '')
const good = own('ada@example.com')
const withField = (name: string, value: Value): Write => ({
  ...good,
  fields: { ...good.fields, [name]: value },
})

type Visitor = Awaited<ReturnType<typeof newVisitor>>

/** What a signed-in visitor tries. */
function visitor(
  verdict: Attempt['verdict'],
  name: string,
  run: (rest: Rest, visitor: Visitor, project: string) => Promise<number>,
): Attempt {
  return {
    name,
    verdict,
    run: async (rest, project) => run(rest, await newVisitor(project, product.appId), project),
  }
}

/** A visitor's try to write one record, at the first place of their own if the record has none. */
function write(verdict: Attempt['verdict'], name: string, write: Write): Attempt {
  return visitor(verdict, name, (rest, { token, path }) =>
    rest.commit([{ ...write, path: write.path || path }], token),
  )
}

/** What a visitor tries on a record of their own that is there. */
function onRecord(
  name: string,
  run: (rest: Rest, path: string, token: string) => Promise<number>,
): Attempt {
  return visitor('refuses', name, async (rest, { token, path }) => {
    const status = await rest.commit([record('ada@example.com', path)], OWNER)
    if (status !== 200) throw new Error(`The record could not be prepared: ${status}`)
    return run(rest, path, token)
  })
}

/** A visitor's records at these places, together. */
const together =
  (places: readonly number[]) =>
  async (rest: Rest, { token, pathAt }: Visitor) =>
    rest.commit(
      await Promise.all(
        places.map(async (place) => record('ada@example.com', await pathAt(place))),
      ),
      token,
    )

export const attempts: readonly Attempt[] = [
  // The e-mail rule: what `parseEmail` returns is taken, and nothing that it would change. Half a
  // character is left out: on its way to the rules it becomes a question mark. So is what no pattern
  // can see: whoever reads such a record goes by the whole rule.
  ...emailCases
    .filter(({ email }) => email !== undefined)
    .map(({ email = '', why }) => write('allows', `an address: ${why}`, own(email))),
  ...emailCases
    .filter(({ input, email }) => input !== email && input.isWellFormed())
    .filter(({ input }) => !seenByTheWholeRule.includes(input))
    .map(({ input, why }) => write('refuses', `an address as it was typed: ${why}`, own(input))),
  write('refuses', 'an address: a letter between capital and small', own('\u01c5@example.com')),
  write('refuses', 'an address: a line break of Unicode, quoted', own('"a\u2028b"@example.com')),

  // Exactly the two fields, each of its type.
  write('refuses', 'a third field', withField('name', { stringValue: 'Ada' })),
  write('refuses', 'no fields', { ...good, fields: {}, serverTime: [] }),
  write('refuses', 'no e-mail', { ...good, fields: {} }),
  write('refuses', 'no time', { ...good, serverTime: [] }),
  ...Object.entries({
    nothing: { nullValue: null },
    'a number': { integerValue: '1' },
    'a boolean': { booleanValue: true },
    'a list': { arrayValue: { values: [good.fields.email] } },
    'a map': { mapValue: { fields: good.fields } },
    bytes: { bytesValue: btoa('ada@example.com') },
  }).map(([name, value]) => write('refuses', `${name} for an e-mail`, withField('email', value))),
  ...Object.entries({
    "the visitor's own": { timestampValue: new Date().toISOString() },
    'one in the past': { timestampValue: '2020-01-01T00:00:00Z' },
    'one in the future': { timestampValue: '2100-01-01T00:00:00Z' },
    'one in words': { stringValue: new Date().toISOString() },
    'a missing': { nullValue: null },
  }).map(([name, value]) =>
    write('refuses', `${name} time`, { ...withField('subscribedAt', value), serverTime: [] }),
  ),

  // Only at the ids of one's own in this collection, only when signed in.
  ...Object.entries({
    'a random id': `${collection}/${randomId()}`,
    'an id that can be guessed': `${collection}/ada@example.com`,
    'the collection of another product': `artifacts/other/public/data/subscribers/${randomId()}`,
    'this path, further down': `more/${randomId()}/${collection}/${randomId()}`,
    'the document above': `artifacts/${product.appId}/public/data`,
    'a collection at the root': `subscribers/${randomId()}`,
  }).map(([name, path]) => write('refuses', name, record('ada@example.com', path))),
  ...Object.entries({
    'a place of their own in the collection of another product': (path: string) =>
      path.replace(product.appId, 'other'),
    'a place of their own in a collection beside the subscribers': (path: string) =>
      path.replace('/subscribers/', '/more/'),
    'a place of their own inside a record': (path: string) =>
      path.replace('/subscribers/', '/subscribers/x/subscribers/'),
    'a place of their own, further down': (path: string) => `more/x/${path}`,
    'an id that is longer than their own': (path: string) => `${path}0`,
    'an id that is shorter than their own': (path: string) => path.slice(0, -1),
    'their own id in capitals': (path: string) => path.replace(/[^/]+$/, (id) => id.toUpperCase()),
  }).map(([name, other]) =>
    visitor('refuses', name, (rest, { token, path }) =>
      rest.commit([record('ada@example.com', other(path))], token),
    ),
  ),
  visitor('refuses', "another visitor's place", async (rest, { token }, project) => {
    const another = await newVisitor(project, product.appId)
    return rest.commit([record('ada@example.com', another.path)], token)
  }),
  visitor('refuses', "nobody's place", async (rest, { token }) =>
    rest.commit([record('ada@example.com', `${collection}/${await recordId('', 0)}`)], token),
  ),
  {
    name: 'nobody who is not signed in',
    verdict: 'refuses',
    run: async (rest, project) => {
      const { path } = await newVisitor(project, product.appId)
      return rest.commit([record('ada@example.com', path)])
    },
  },

  // A few records for one user, and no more.
  visitor('allows', 'as many records as a visitor has places', together(places)),
  visitor('refuses', 'one record more', together([...places, RECORDS_A_USER])),
  visitor('refuses', 'a record at one place more', together([RECORDS_A_USER])),
  visitor('refuses', 'a record at a place before the first', together([-1])),
  visitor('refuses', 'several records where one is wrong', async (rest, { token, pathAt }) =>
    rest.commit(
      [record('ada@example.com', await pathAt(0)), record('ada', await pathAt(1))],
      token,
    ),
  ),

  // What is there stays unread and as it is.
  onRecord('reading a record', (rest, path, token) => rest.get(path, token)),
  onRecord('listing the records', (rest, _, token) => rest.get(collection, token)),
  onRecord('searching the records', (rest, _, token) =>
    rest.query(`/${collection.replace(/\/\w+$/, '')}`, { collectionId: 'subscribers' }, token),
  ),
  onRecord('searching every collection of this name', (rest, _, token) =>
    rest.query('', { collectionId: 'subscribers', allDescendants: true }, token),
  ),
  onRecord('writing a record over', (rest, path, token) =>
    rest.commit([record('ada@example.com', path)], token),
  ),
  onRecord('changing a record', (rest, path, token) => rest.patch(path, good.fields, token)),
  onRecord('asking by a write whether a record is there', (rest, path, token) =>
    rest.commit([{ ...record('ada@example.com', path), currentDocument: { exists: true } }], token),
  ),
  onRecord('deleting a record', (rest, path, token) => rest.remove(path, token)),
]
