<?php
use PHPUnit\Framework\TestCase;

abstract class CalendarTestCase extends TestCase
{
    protected string $url;
    private string $name;

    protected static function send(string $method, string $url, ?array $body = null): array
    {
        $http = ['method' => $method, 'header' => 'Content-Type: application/json', 'ignore_errors' => true];
        if ($body !== null) $http['content'] = json_encode($body);
        $text = file_get_contents($url, false, stream_context_create(['http' => $http]));
        return json_decode($text, true) ?? ['html' => $text];
    }

    protected function qa(string $method, string $path, ?array $body = null): array
    {
        return self::send($method, "$this->url/__qa/$path", $body);
    }

    protected function setUp(): void
    {
        $server = getenv('UNDERSTUDY_URL') ?: 'http://127.0.0.1:8080';
        $this->name = 'php-' . bin2hex(random_bytes(6));
        $this->url = "$server/__sandbox/$this->name";
        self::send('PUT', "$server/__qa/sandboxes/$this->name");
    }

    protected function tearDown(): void
    {
        $server = substr($this->url, 0, strpos($this->url, '/__sandbox/'));
        self::send('DELETE', "$server/__qa/sandboxes/$this->name");
    }

    protected function onNotSuccessfulTest(Throwable $error): void
    {
        fwrite(STDERR, json_encode($this->qa('GET', 'journal')) . "\n");
        throw $error;
    }
}

final class CalendarTest extends CalendarTestCase
{
    private function events(): array
    {
        return self::send('GET', "$this->url/wp-json/tribe/events/v1/events");
    }

    public function testPastEventsLeaveTheList(): void
    {
        $this->qa('POST', 'seed', ['events' => [['title' => 'Fair', 'start' => '+1d 10:00', 'duration' => '2h']]]);
        $this->assertSame('Fair', $this->events()['events'][0]['title']);
        $this->qa('PUT', 'clock', ['advance' => '3 days']);
        $this->assertSame([], $this->events()['events']);
    }

    public function testTheCalendarIsDown(): void
    {
        $this->qa('POST', 'faults', ['effect' => ['status' => 503]]);
        $this->assertArrayHasKey('html', $this->events());
    }
}
