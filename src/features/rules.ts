export { referrals } from './referrals/rules.ts'
