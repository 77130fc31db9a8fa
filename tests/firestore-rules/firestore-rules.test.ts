/** @module-tag thorough */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { confirmationRequestsPath, subscribersPath } from '../../src/shared/subscriber.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { newVisitor, record } from '../emulators/firestore-visitor.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { attempts } from './attempts.ts'
import { weakened } from './weakened.ts'

const rules = firestoreRules(product.appId)

it('firestore.rules is what "npm run rules" writes now, for the appId that it was written for', () => {
  // Another product's own go with its page: "npm run build:firebase" writes both.
  const written = readFileSync('firestore.rules', 'utf8')
  const [, appId = ''] = /match \/artifacts\/([\w-]+)\//.exec(written) ?? []
  expect(written, 'run "npm run rules"').toBe(firestoreRules(appId))
})

describe('Firestore', () => {
  const firestore = withFirestoreEmulator()

  describe('under our rules', () => {
    const project = 'demo-rules'
    beforeAll(() => firestore() && firestoreRest(firestore().origin, project).setRules(rules))
    it.for(attempts)('$verdict $name', async ({ run, verdict }) => {
      expect(await run(firestoreRest(firestore().origin, project), project)).toBe(STATUS[verdict])
    })
  })

  it('under the rules of a page that asks for confirmation takes the same beside the list, and nothing on it', async () => {
    const withConfirmation = firestoreRules(product.appId, { confirm: true })
    const [list, requests] = [subscribersPath, confirmationRequestsPath].map((path) =>
      path(product.appId),
    ) as [string, string]
    expect(withConfirmation).toBe(rules.replace(list, requests))
    const project = 'demo-confirm'
    const rest = firestoreRest(firestore().origin, project)
    await rest.setRules(withConfirmation)
    const { token, path } = await newVisitor(project, product.appId)
    const write = (to: string) => rest.commit([record('ada@example.com', to)], token)
    expect(await write(path)).toBe(STATUS.refuses)
    expect(await write(path.replace(list.slice(1), requests.slice(1)))).toBe(STATUS.allows)
  })

  describe('under weaker rules allows what it should refuse', () => {
    const toRefuse = attempts.filter(({ verdict }) => verdict === 'refuses')
    it.for(weakened(rules))('%s', async ([, weakerRules], { task }) => {
      const project = `demo-${task.id.replaceAll('_', '-')}`
      const rest = firestoreRest(firestore().origin, project)
      await rest.setRules(weakerRules)
      const statuses = await Promise.all(toRefuse.map(({ run }) => run(rest, project)))
      expect(statuses).toContain(STATUS.allows)
    })
  })
})

const STATUS = { allows: 200, refuses: 403 }
