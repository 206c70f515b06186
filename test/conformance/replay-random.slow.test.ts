import { replayPacked } from './packed.js';

describe('recorded responses to random requests', () => replayPacked('cases-random.json.br', 2));
