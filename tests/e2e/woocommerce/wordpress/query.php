<?php
// Runs one statement in a shop's database without WordPress: {sql, values} from the standard input; prints the rows as JSON.
$task = json_decode(stream_get_contents(STDIN), true);
$constants = json_decode(file_get_contents('rig.json'), true)['constants'];
[$host, $port] = explode(':', $constants['DB_HOST']);
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$database = $task['isServer'] ? '' : $constants['DB_NAME'];
$connection = new mysqli($host, $constants['DB_USER'], $constants['DB_PASSWORD'], $database, (int) $port);
$connection->set_charset('utf8mb4');
$statement = $connection->prepare($task['sql']);
$statement->execute($task['values']);
$result = $statement->get_result();
echo json_encode($result === false ? [] : $result->fetch_all(MYSQLI_ASSOC), JSON_THROW_ON_ERROR);
