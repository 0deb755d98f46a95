export { PluginIcon } from './PluginIcon.tsx';
export { Topology } from './Topology.tsx';
