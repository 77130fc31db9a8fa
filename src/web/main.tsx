import { hydrateRoot } from 'react-dom/client'
import product from '../../product.config.ts'
import { connect } from '../client/connect.ts'
import type { Outcome } from '../shared/outcome.ts'
import { ComingSoon } from './coming-soon.tsx'

const root = document.getElementById('root') as HTMLElement

hydrateRoot(
  root,
  <ComingSoon
    product={product}
    subscribe={connect()}
    open={root.dataset.open}
    outcome={root.dataset.outcome as Outcome | undefined}
  />,
)

// Tells the inline script that this one runs.
root.dataset.script = 'runs'
