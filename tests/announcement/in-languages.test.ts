import { describe } from 'vitest'
import { setStage } from '../fixtures/stage.ts'
import { inLanguages } from './in-languages.ts'

describe('a list in SQLite, in several languages', () => {
  inLanguages(() => setStage(0))
})
