import product from '../../product/product.ts'
import { answersReport } from '../../report/makers/answers.ts'
import { type Telling, tell } from '../../report/tell.ts'
import { runWithStore } from '../run.ts'

/** `answers`: what people answered to the question of the page. */
export const fromCommandLine = (options: Telling) =>
  runWithStore({ looks: true }, async ({ list }, out) =>
    tell(await answersReport(list, product.question?.ask), options, out),
  )
