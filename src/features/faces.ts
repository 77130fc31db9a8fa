export { came } from './came/feature.ts'
export { embed } from './embed/feature.ts'
export { question } from './question/feature.ts'
export { referrals } from './referrals/feature.ts'
