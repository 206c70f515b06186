import type { CampaignReport } from './campaign.mjs';
import type { Server } from '../../src/index.js';

/** Sends requests to the test API of a sandbox or of the main site, and checks every response. */
export function testApiCampaign(options: {
  server: Server;
  world: unknown;
  /** Dataset files. */
  datasets: readonly string[];
  isMain?: boolean;
  requests: number;
  seed: number;
  perRound?: number;
}): Promise<CampaignReport>;
