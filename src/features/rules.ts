export { came } from './came/rules.ts'
export { question } from './question/rules.ts'
export { referrals } from './referrals/rules.ts'
export { share } from './share/rules.ts'
