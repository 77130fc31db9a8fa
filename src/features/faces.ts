export { referrals } from './referrals/feature.ts'
