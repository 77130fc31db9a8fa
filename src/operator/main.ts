// Other versions of ours and the services that they installed call the operator's tool at this path.
import '../cli/main.ts'
