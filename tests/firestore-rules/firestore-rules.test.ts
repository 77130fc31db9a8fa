import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
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
  const firestore = withFirestoreEmulator(rules)

  describe('under our rules', () => {
    const project = 'demo-rules'
    it.for(attempts)('$verdict $name', async ({ run, verdict }) => {
      expect(await run(firestoreRest(firestore().origin, project), project)).toBe(STATUS[verdict])
    })
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
