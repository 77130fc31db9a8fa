import { emptySqlite } from '../../store/every-store.ts'
import { everybodyContract } from './everybody.ts'

everybodyContract('a list in a file', emptySqlite)
