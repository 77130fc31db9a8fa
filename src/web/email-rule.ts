/** What judges an address while it is typed, and when it is sent. */
export { parseEmail } from '../shared/email.ts'
export { suggestDomain } from './suggest-domain.ts'
