import type { ComponentProps } from 'react'
import { useShell } from './parts/view.ts'

interface PostFormProps extends Omit<ComponentProps<'form'>, 'method'> {
  /** What it sends without asking for it: under a name a value, or each of several. */
  readonly values?: object
}

/** A form that posts to the desk, with the token that the desk requires. */
export function PostForm({ values = {}, children, ...others }: PostFormProps) {
  const hidden = Object.entries({ csrf: useShell().csrf, ...values })
  return (
    <form method="post" {...others}>
      {hidden.flatMap(([name, value]) =>
        [value]
          .flat()
          .map((one) => <input key={`${name} ${one}`} type="hidden" name={name} value={one} />),
      )}
      {children}
    </form>
  )
}
