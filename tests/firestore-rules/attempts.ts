import { randomBytes } from 'node:crypto'
import product from '../../product.config.ts'
import { subscribersPath } from '../../src/shared/subscriber.ts'
import { emailCases } from '../email-cases.ts'
import {
  type firestoreRest,
  OWNER,
  type Value,
  visitorToken,
  type Write,
} from '../emulators/firestore-rest.ts'

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

/** A record as the page writes it, but for the address. */
export function record(email: string, path = `${collection}/${randomId()}`): Write {
  return { path, fields: { email: { stringValue: email } }, serverTime: ['subscribedAt'] }
}

const good = record('ada@example.com')
const withField = (name: string, value: Value): Write => ({
  ...good,
  fields: { ...good.fields, [name]: value },
})

/** A signed-in visitor's try to write one record. */
function write(verdict: Attempt['verdict'], name: string, write: Write): Attempt {
  return { name, verdict, run: (rest, project) => rest.commit([write], visitorToken(project)) }
}

/** What a visitor tries on a record that is there. */
function onRecord(
  name: string,
  run: (rest: Rest, path: string, token: string) => Promise<number>,
): Attempt {
  return {
    name,
    verdict: 'refuses',
    async run(rest, project) {
      const path = `${collection}/${randomId()}`
      const status = await rest.commit([record('ada@example.com', path)], OWNER)
      if (status !== 200) throw new Error(`The record could not be prepared: ${status}`)
      return run(rest, path, visitorToken(project))
    },
  }
}

export const attempts: readonly Attempt[] = [
  // The e-mail rule: what `parseEmail` returns is taken, and nothing that it would change. Half a
  // character is left out: on its way to the rules it becomes a question mark.
  ...emailCases
    .filter(({ email }) => email !== undefined)
    .map(({ email = '', why }) => write('allows', `an address: ${why}`, record(email))),
  ...emailCases
    .filter(({ input, email }) => input !== email && input.isWellFormed())
    .map(({ input, why }) => write('refuses', `an address as it was typed: ${why}`, record(input))),
  write('refuses', 'an address: a letter between capital and small', record('\u01c5@example.com')),
  write('refuses', 'an address: a line break of Unicode, quoted', record('"a\u2028b"@example.com')),

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

  // Only at a random id of this collection, only when signed in.
  ...Object.entries({
    'an id of 19 characters': `${collection}/${'a'.repeat(19)}`,
    'an id of 21 characters': `${collection}/${'a'.repeat(21)}`,
    'an id that can be guessed': `${collection}/ada@example.com.....`,
    'the collection of another product': `artifacts/other/public/data/subscribers/${randomId()}`,
    'a collection inside a record': `${collection}/${randomId()}/subscribers/${randomId()}`,
    'a collection beside the subscribers': `artifacts/${product.appId}/public/data/more/${randomId()}`,
    'this path, further down': `more/${randomId()}/${collection}/${randomId()}`,
    'the document above': `artifacts/${product.appId}/public/data`,
    'a collection at the root': `subscribers/${randomId()}`,
  }).map(([name, path]) => write('refuses', name, record('ada@example.com', path))),
  {
    name: 'nobody who is not signed in',
    verdict: 'refuses',
    run: (rest) => rest.commit([record('ada@example.com')]),
  },
  {
    name: 'several records where one is wrong',
    verdict: 'refuses',
    run: (rest, project) =>
      rest.commit([record('ada@example.com'), record('ada')], visitorToken(project)),
  },

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
